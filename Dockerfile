# The command line as an image. docker run --rm -v "$PWD:/work" <image> check
ARG NODE=node:22-bookworm-slim

FROM ${NODE} AS package
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run --silent compile && npm pack --ignore-scripts --pack-destination /tmp

FROM ${NODE} AS install
COPY --from=package /tmp/property-catalogue-*.tgz /tmp/
RUN npm install --global --omit=dev --no-audit --no-fund --prefix /opt/catalogue /tmp/property-catalogue-*.tgz

FROM ${NODE}
# git: "diff" compares revisions, and a release records its commit.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git \
 && rm -rf /var/lib/apt/lists/* \
 && git config --system --add safe.directory '*'
COPY --from=install /opt/catalogue /opt/catalogue
ENV PATH=/opt/catalogue/bin:$PATH
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["catalogue"]
CMD ["--help"]
