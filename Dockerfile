# The image holds the executable, the shared libraries that it names, CA certificates and time zones: no shell, no
# package manager. The first stage builds; SOURCE=prebuilt takes dist/penknife as it is, for a machine without npm.
# A tag can be moved; the digest names one index of images, for every platform. Change both together.
ARG BUILD_BASE=node:24.21.0-bookworm@sha256:6dac556d980b7f0e5498d08f08cee0ca67798b4ad6c23964a9214920e67758d0
ARG RUN_BASE=scratch

FROM ${BUILD_BASE} AS source
WORKDIR /build
COPY . .
ARG COMMIT=""
ARG SOURCE=build
# A choice in a stage and not between stages, because some builders would commit the chosen one to use it as a base.
RUN if [ "$SOURCE" = build ]; then make build COMMIT="$COMMIT"; fi && \
    config/image-root.sh dist/penknife /image/root && mkdir /image/data

FROM ${RUN_BASE}
COPY --from=source /image/root/ /
# Separate, because only a folder that does not exist yet gets the owner.
COPY --from=source --chown=65532:65532 /image/data /data
ENV PATH=/usr/bin \
    PENKNIFE_SERVER_HOST=0.0.0.0 \
    PENKNIFE_STORAGE_PATH=/data
USER 65532:65532
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["penknife", "healthcheck"]
ENTRYPOINT ["penknife"]
CMD ["serve"]
