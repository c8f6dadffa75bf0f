import fc from 'fast-check'

/** A generated Dockerfile, and the images that BuildKit fetches for it. */
export interface DockerfileSample {
  text: string
  images: string[]
}

export const publicImages = ['busybox', 'team/app:1', 'ghcr.io/a/b:1', 'quay.io/c']
export const privateImages = ['127.0.0.1:5999/x', 'nas:5000/x', 'localhost/x', 'nas.lan/a/b:1']

/** One instruction: its lines and the images that it uses. */
type Part = { lines: string; images: string[] }

const image = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...publicImages) },
  { weight: 1, arbitrary: fc.constantFrom(...privateImages) },
)

/** Returns white space between words: short or long, and with continued lines and comments. */
const gapWith = (mark: string) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(' ', '\t', '   ') },
    { weight: 1, arbitrary: fc.integer({ min: 8000, max: 9000 }).map((size) => ' '.repeat(size)) },
    {
      weight: 9,
      arbitrary: fc
        .array(fc.constantFrom('', '# a comment\n', '\n', '  # FROM nas:5000/y\n'), {
          maxLength: 3,
        })
        .map((between) => ` ${mark} \n${between.join('')} `),
    },
    { weight: 1, arbitrary: fc.constant(`    ${mark}\n`.repeat(2500)) },
  )

const cased = (word: string) =>
  fc.constantFrom(word, word.toLowerCase(), `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)

const heredocName = fc.constantFrom('EOF', 'E-F', '3', '"a b"', "'X'")
const inDocument = fc.constantFrom('FROM busybox', 'echo x', 'COPY --from=quay.io/c / /', '# x', '')

/** Returns instructions whose words are separated by gaps. */
function partsWith(mark: string): fc.Arbitrary<Part> {
  const gap = gapWith(mark)
  const of = (word: string, after: (named: string) => string[]) =>
    fc.tuple(cased(word), image, fc.array(gap, { minLength: 6, maxLength: 6 })).map(
      ([first, named, gaps]): Part => ({
        lines: after(named).reduce((line, one, index) => `${line}${gaps[index]}${one}`, first),
        images: [named],
      }),
    )
  const document = fc
    .tuple(cased('RUN'), heredocName, fc.array(inDocument, { maxLength: 3 }))
    .map(([first, name, body]): Part => {
      const end = name.replaceAll(/["']/g, '')
      return { lines: [`${first} <<${name}`, ...body, end].join('\n'), images: [] }
    })
  return fc.oneof(
    of('FROM', (named) => [named]),
    of('FROM', (named) => ['--platform=linux/amd64', named, 'AS', 'stage']),
    of('COPY', (named) => ['--chown=1', `--from=${named}`, '/a', '/b']),
    of('RUN', (named) => [`--mount=type=bind,from=${named},target=/v`, 'true']),
    of('RUN', (named) => ['--network=none', `--mount=target=/v,from=${named}`, 'true']),
    of('RUN', (named) => ['--mount=type=cache,target=/c', `--mount=from=${named},target=/v`, 'x']),
    fc.constant<Part>({ lines: `RUN true${' && true'.repeat(1500)}`, images: [] }),
    document,
  )
}

/** Yields Dockerfiles that BuildKit accepts, with the images that it fetches for them. */
export const dockerfileSamples: fc.Arbitrary<DockerfileSample> = fc
  .constantFrom('\\', '`')
  .chain((mark) =>
    fc
      .tuple(image, fc.array(partsWith(mark), { maxLength: 5 }), fc.constantFrom('\n', '\r\n'))
      .map(([base, parts, end]) => {
        const directive = mark === '`' ? ['# escape=`'] : []
        const head = [...directive, `ARG BASE=${base}`, 'FROM $BASE']
        const text = [...head, ...parts.map(({ lines }) => lines), ''].join('\n')
        const images = [base, ...parts.flatMap((part) => part.images)]
        return { text: text.replaceAll('\n', end), images }
      }),
  )
