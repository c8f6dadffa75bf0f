import { expect, test } from 'vitest'
import { needsBuildKit } from './needs-buildkit.ts'
import { readDockerfile } from './read-dockerfile.ts'

test.each([
  'RUN --mount=type=cache,target=/c make',
  'run --network=none true',
  'COPY --link a b',
  'ADD --chown=1 --checksum=sha256:0 a b',
  'FROM --platform=$BUILDPLATFORM busybox AS a',
  'ARG TARGETARCH',
  'RUN <<EOF',
  'RUN cat <<-"END" > /x',
  'RUN <<E-F',
  'RUN <<3',
  'RUN 3<<EOF',
  'COPY <<"a b" /x',
  'ONBUILD RUN <<EOF',
  'RUN \\\n --mount=type=cache,target=/c make',
])('%s needs BuildKit', (line) => {
  expect(needsBuildKit(readDockerfile(`FROM busybox\n${line}\n`))).toBe(true)
})

test.each([
  '# syntax=docker/dockerfile:1',
  'COPY --from=a --chown=1 b c',
  'RUN echo --mount=x; tool --platform=y; cat < /a',
  'ARG TARGET',
  'RUN echo $((1 << 2))',
  'RUN echo $((1<<2))',
  'RUN sh -c "cat <<EOF"',
  'RUN ["sh", "<<EOF"]',
  'USER <<EOF',
])('%s does not need BuildKit', (line) => {
  expect(needsBuildKit(readDockerfile(`${line}\nFROM busybox\n`))).toBe(false)
})
