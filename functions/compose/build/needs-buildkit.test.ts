import { expect, test } from 'vitest'
import { needsBuildKit } from './needs-buildkit.ts'

test.each([
  'RUN --mount=type=cache,target=/c make',
  'run --network=none true',
  'COPY --link a b',
  'ADD --chown=1 --checksum=sha256:0 a b',
  'FROM --platform=$BUILDPLATFORM busybox AS a',
  'ARG TARGETARCH',
  'RUN <<EOF',
  'RUN cat <<-"END" > /x',
])('%s needs BuildKit', (line) => {
  expect(needsBuildKit(`FROM busybox\n${line}\n`)).toBe(true)
})

test.each([
  '# syntax=docker/dockerfile:1',
  'COPY --from=a --chown=1 b c',
  'RUN echo --mount=x; tool --platform=y; cat < /a',
  'ARG TARGET',
  'RUN echo $((1 << 2))',
])('%s does not need BuildKit', (line) => {
  expect(needsBuildKit(`${line}\nFROM busybox\n`)).toBe(false)
})
