/** The build makes a style sheet that a script imports a part of the script, as text. */
declare module "*.css" {
  const text: string;
  export default text;
}
