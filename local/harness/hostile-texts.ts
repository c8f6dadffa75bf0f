/** A compose file built to exhaust its reader, or merely as large as allowed. */
export interface HostileText {
  name: string
  compose: string
  env?: string
  overlays?: Record<string, string>
  /** The expected status; `any` if a slow machine may time out where a fast one succeeds. */
  status: 201 | 422 | 'any'
}

const megabyte = 1024 * 1024
const fill = (head: string, unit: string, tail = '') => {
  const room = megabyte - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return head + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + tail
}
/** Returns as many of these lines as fit into a megabyte. */
const lines = (head: string, line: (index: number) => string) => {
  const parts = [head]
  for (let size = head.length, index = 0; ; index += 1) {
    const next = line(index)
    size += Buffer.byteLength(next)
    if (size > megabyte) return parts.join('')
    parts.push(next)
  }
}
const web = 'services:\n  web:\n    image: busybox\n'
const text = (name: string, status: HostileText['status'], compose: string): HostileText => ({
  name,
  status,
  compose,
})

const laughs = [...'bcdefghij'].reduce((all, name, index) => {
  const before = index === 0 ? 'a' : 'abcdefghij'[index]
  return `${all}x-${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]\n`
}, 'x-a: &a [lol]\n')
const merges = [...'bcdefghij'].reduce((all, name, index) => {
  const before = 'abcdefghij'[index]
  return `${all}x-${name}: &${name} {k${name}: 1, <<: [${Array(9).fill(`*${before}`).join(', ')}]}\n`
}, 'x-a: &a {k: v}\n')
const many = (count: number, unit: string) => Array(count).fill(unit).join(', ')

const aliases: HostileText[] = [
  text('an alias bomb', 422, laughs + web),
  text('a bomb of merge keys', 422, merges + web),
  text(
    'a long list used a thousand times',
    422,
    `x-a: &a [${many(1000, '1')}]\nx-b: [${many(1000, '*a')}]\n${web}`,
  ),
  text(
    'a long text used three hundred times',
    422,
    `x-a: &a "${'x'.repeat(900_000)}"\nx-b: [${many(300, '*a')}]\n${web}`,
  ),
  text('an alias that refers to itself', 422, `x-a: &a [*a]\n${web}`),
  text('one anchor used 5 000 times', 201, `x-a: &a { A: b }\n${web}x-b: [${many(5000, '*a')}]\n`),
  text(
    'only anchors',
    'any',
    lines(web, (index) => `x-${index}: &a${index} 1\n`),
  ),
  text('only aliases', 'any', fill(`x-a: &a 1\n${web}x-b: [`, '*a ,', ']')),
]

const depths: HostileText[] = [
  text('nested lists', 422, fill('a: ', '[')),
  text('nested mappings', 422, fill('', '{a: ')),
  text('one-entry lists in one line', 422, fill('a:\n', '- ')),
  text(
    'ever deeper indentation',
    422,
    lines('', (index) => `${' '.repeat(index)}a:\n`),
  ),
  text('complex keys', 422, fill('', '? ')),
  text('nested variables', 422, fill(`${web}    command: "`, '${A:-', `${'}'.repeat(9)}"`)),
]

const marks: HostileText[] = [
  text('tabs', 422, fill('a:\n', '\t')),
  text('a tab as indentation', 422, `${web}\tports: []\n`),
  text('an open quote', 422, fill('a: "', 'x')),
  text('many quotes', 422, fill('a: ', '""')),
  text('exclamation marks', 422, fill('a: ', '!')),
  text('tags', 422, fill('a: ', '!a ')),
  text('colons', 422, fill('a', ': ')),
  text('documents', 'any', fill('', '---\n')),
  text('directives', 422, fill('', '%A\n')),
  text('comments', 'any', fill(web, '# comment\n')),
  text('empty lines', 'any', fill(web, '\n')),
  text('spaces', 422, fill('a: b\n', ' ', 'c: d')),
  text('carriage returns', 'any', fill(web, '\r')),
]

const sizes: HostileText[] = [
  text('one repeated key', 422, fill(web, 'x-a: 1\n')),
  text(
    'many keys',
    'any',
    lines(web, (index) => `x-${index}: 1\n`),
  ),
  text('a long key', 422, fill('', 'a', ': 1')),
  text('a long number', 201, fill(`${web}    labels: {a: `, '1', '}')),
  text('a long text', 201, fill(`${web}    labels: {a: "`, 'x', '"}')),
  text('a long block', 201, fill(`${web}    command: |\n`, '      line\n')),
  text('a long command', 'any', fill(`${web}    command: `, "a 'b' ")),
  text('dollar signs', 201, fill(`${web}    labels: {a: "`, '$$', '"}')),
  text(
    'variables that are not set',
    'any',
    lines(`${web}    command: >\n`, (index) => `      $V${index}\n`),
  ),
  text('many ports', 'any', fill(`${web}    ports:\n`, '      - 1-60000:1-60000\n')),
  text(
    'services',
    'any',
    lines(
      'services:\n',
      (index) =>
        `  s${index}: {image: nginx:1.2${index % 10}, restart: always, ports: ["${8000 + (index % 999)}:80"], environment: {A: value ${index}, B: "quoted", C: "1"}}\n`,
    ),
  ),
  text(
    'services that extend each other',
    'any',
    lines(
      'services:\n  s0: {image: x}\n',
      (index) => `  s${index + 1}: {extends: s${index}, labels: [l${index}=1]}\n`,
    ),
  ),
  text(
    'services that wait for each other',
    'any',
    lines(
      'services:\n  s0: {image: x}\n',
      (index) => `  s${index + 1}: {image: x, depends_on: [s${index}]}\n`,
    ),
  ),
  text(
    'services with circular dependencies',
    422,
    `services:\n${Array.from({ length: 5000 }, (_, index) => `  s${index}: {image: x, depends_on: [s${(index + 1) % 5000}]}\n`).join('')}`,
  ),
  {
    ...text('a variable of a megabyte', 422, fill(`${web}    command: "`, '$A', '"')),
    env: fill('A=', 'x'),
  },
  { ...text('an .env of quotes', 'any', web), env: fill('', 'A="') },
  {
    ...text('an .env of nested variables', 'any', web),
    env: lines('A=xx\n', () => 'A=$A$A\n'),
  },
  {
    ...text('nineteen large overlays', 'any', web),
    overlays: Object.fromEntries(
      Array.from({ length: 19 }, (_, index) => [
        `o${index}`,
        lines('services:\n', (at) => `  s${at}: {image: x}\n`)
          .slice(0, 160_000)
          .replace(/\n[^\n]*$/, '\n'),
      ]),
    ),
  },
]

/** Texts that must be handled within two seconds without blocking the event loop. */
export const hostileTexts: readonly HostileText[] = [...aliases, ...depths, ...marks, ...sizes]
