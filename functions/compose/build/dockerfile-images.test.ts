import { expect, test } from 'vitest'
import { dockerfileImages } from './dockerfile-images.ts'
import { readDockerfile } from './read-dockerfile.ts'

const V = '$'

/** Name of the case → Dockerfile → the images that it uses, given the build's arguments. */
const cases: [
  name: string,
  text: string,
  images: string[] | undefined,
  given?: Record<string, string | null>,
][] = [
  ['one base', 'FROM a.example/b:1', ['a.example/b:1']],
  ['lower case and a platform', 'from --platform=linux/amd64 a:1 as x', ['a:1']],
  [
    'stages',
    'FROM a AS One\nFROM one\nFROM scratch\nCOPY --from=ONE / /\nCOPY --from=0 / /',
    ['a'],
  ],
  ['a later stage is an image', 'FROM b\nFROM a AS b', ['b', 'a']],
  ['a copy from an image', 'FROM a\nCOPY --chown=1 --from=r.io/x:2 /a /b', ['a', 'r.io/x:2']],
  [
    'a mount from an image',
    'FROM a\nRUN --mount=type=bind,from=m.io/y,target=/x --mount=type=cache,target=/c make',
    ['a', 'm.io/y'],
  ],
  ['a quoted mount', 'FROM a\nRUN --mount="type=bind,from=m.io/y" make', ['a', 'm.io/y']],
  ['a mount from a stage', 'FROM a AS s\nRUN --mount=from=s,target=/x make', ['a']],
  [
    'the frontend',
    '# syntax=docker.io/docker/dockerfile:1\nFROM a',
    ['docker.io/docker/dockerfile:1', 'a'],
  ],
  ['the frontend after other directives', '#!x\n# escape=`\n#SYNTAX = f:1\nFROM a', ['f:1', 'a']],
  ['no frontend after a comment', '# hello\n# syntax=f:1\nFROM a', ['a']],
  ['no frontend after an empty line', '\n# syntax=f:1\nFROM a', ['a']],
  ['a default', `ARG B=a.io/x\nFROM ${V}{B}:1`, ['a.io/x:1']],
  ['a build argument', `ARG B=a.io/x\nFROM ${V}B:1`, ['b.io/y:1'], { B: 'b.io/y' }],
  ['an argument without a value', `ARG B=a.io/x\nFROM ${V}B`, ['a.io/x'], { B: null }],
  ['an undeclared argument', `FROM a${V}{B}`, ['a'], { B: '.io/x' }],
  ['a default in place', `ARG B\nFROM ${V}{B:-c.io/z}`, ['c.io/z']],
  ['an alternative', `ARG B=1\nFROM ${V}{B:+c.io/z}`, ['c.io/z']],
  ['an argument of an argument', `ARG R=r.io\nARG B="${V}R/x"\nFROM ${V}B`, ['r.io/x']],
  ['two arguments in a line', `ARG R=r.io N=x\nFROM ${V}R/${V}N`, ['r.io/x']],
  ['a variable of a stage', `FROM a\nARG S=s.io/q\nCOPY --from=${V}S / /`, ['a', 's.io/q']],
  ['quotes', 'FROM "a.io/b"', ['a.io/b']],
  ['continued lines', 'FROM \\\n# why\n\n a.io/b \\\n AS x', ['a.io/b']],
  ['another escape', '# escape=`\nFROM `\n a.io/b', ['a.io/b']],
  ['Windows line endings', 'FROM a\r\nCOPY --from=b.io/c / /\r\n', ['a', 'b.io/c']],
  ['a byte order mark', '\uFEFFFROM a', ['a']],
  [
    'a here-document, as either builder reads it',
    'FROM a\nRUN <<EOF\nFROM evil.io/x\nEOF\nCOPY <<-"X" /y\n\tFROM evil.io/x\n\tX\nFROM b',
    ['a', 'b', 'evil.io/x'],
  ],
  ['instructions for later builds', 'FROM a\nONBUILD COPY --from=evil.io/x / /', ['a']],
  ['an unknown form of substitution', `ARG B=a\nFROM ${V}{B#x}`, undefined],
  ['an unknown form of substitution that names no image', `ARG B=${V}{C#x}\nFROM a`, ['a']],
  ['an argument that cannot be evaluated', `ARG B=${V}{C#x}\nFROM ${V}B`, undefined],
  ['a here-document without an end', 'FROM a\nRUN <<EOF\nFROM b', ['a', 'b']],
  [
    'an argument of a stage that does not hide a global one',
    `ARG B=evil\nFROM a\nARG B=good\nFROM ${V}B`,
    ['a', 'evil'],
  ],
  ['an argument that BuildKit sets', `FROM ${V}{TARGETOS:+evil}`, undefined],
  ['a platform', `FROM --platform=${V}BUILDPLATFORM a`, ['a']],
  ['a variable in a default in place', `ARG B\nFROM ${V}{B:-${V}C}`, undefined],
  ['no base', 'RUN make', undefined],
  ['nothing', '', undefined],
  ['bytes', '\u0000\u0001', undefined],
]

test.each(cases)('reads %s', (_, text, images, given) => {
  expect(dockerfileImages(readDockerfile(text), given)).toEqual(images)
})

/** Texts of a megabyte, and whether the images can be determined. */
const long: [name: string, text: string, isKnown: boolean][] = [
  ['spaces', `# a=b${' '.repeat(900_000)}c\nFROM a`, true],
  ['here-documents', `FROM a\n${'RUN <<A\nA\n'.repeat(90_000)}`, true],
  [
    'ends of here-documents',
    `FROM a\nRUN ${'<<A '.repeat(100_000)}\n${'b\n'.repeat(200_000)}`,
    true,
  ],
  ['flags', `FROM ${'--a '.repeat(240_000)}`, true],
  ['quotes', `ARG ${'a"\''.repeat(300_000)}`, false],
  ['variables', `FROM ${'${A:-'.repeat(190_000)}`, false],
]

test.each(long)('reads a megabyte of %s', (_, text, isKnown) => {
  expect(dockerfileImages(readDockerfile(text)) !== undefined).toBe(isKnown)
})
