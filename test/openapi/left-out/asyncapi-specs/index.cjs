module.exports = { schemas: {} };
