# The image holds the executable, the shared libraries that it names, CA certificates and time zones: no shell, no
# package manager. The first stage builds; SOURCE=prebuilt takes dist/penknife as it is, for a machine without npm.
# A tag can be moved; the digest names one index of images, for every platform. Change both together.
ARG BUILD_BASE=node:24.21.0-bookworm@sha256:6dac556d980b7f0e5498d08f08cee0ca67798b4ad6c23964a9214920e67758d0
ARG RUN_BASE=scratch
ARG SOURCE=build

FROM ${BUILD_BASE} AS build
WORKDIR /build
COPY . .
ARG COMMIT=""
RUN make build COMMIT="$COMMIT" && config/image-root.sh dist/penknife /image/root && mkdir /image/data

FROM ${BUILD_BASE} AS prebuilt
WORKDIR /build
COPY config/image-root.sh config/
COPY dist/penknife dist/
# Removed again, because a builder without layers would copy it twice into the next stage.
RUN config/image-root.sh dist/penknife /image/root && rm dist/penknife && mkdir /image/data

FROM ${SOURCE} AS source

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
