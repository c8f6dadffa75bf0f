import { describe, expect, test } from 'vitest'
import { load } from '../load/load.ts'
import type { ComposeInput } from '../project.ts'
import { composeInput } from '../testing/compose-input.ts'
import { diagnose, problemsMax } from './diagnose.ts'

const options = { anyName: false, showsSecrets: true }

/** Returns the problems as an editor lists them. */
const linesOf = (files: Record<string, string>, more: Partial<ComposeInput> = {}) =>
  diagnose([composeInput(files, more)], options).problems.map(
    ({ path, line, column, severity, message }) =>
      `${path}:${line}:${column} ${severity} ${message}`,
  )

const service = (lines: string) =>
  `services:\n  web:\n    image: nginx\n${lines.replaceAll(/^/gm, '    ')}\n`

test('a valid stack has no problems', () => {
  expect(linesOf({ 'compose.yaml': service('ports: ["80:80"]') })).toEqual([])
})

test('every syntax error of every compose file', () => {
  const files = {
    'compose.yaml': 'services:\n  web: {image: [}\n  db: "a\n',
    'compose.prod.yaml': 'a: 1\na: 2\nb: 1\nb: 2\n',
  }
  const composeFiles = ['compose.yaml', 'compose.prod.yaml']
  const lines = linesOf(files, { composeFiles })
  expect(lines).toContainEqual(
    'compose.prod.yaml:2:1 error mapping key "a" is already defined in line 1',
  )
  expect(lines).toContainEqual(
    'compose.prod.yaml:4:1 error mapping key "b" is already defined in line 3',
  )
  const own = lines.filter((line) => line.startsWith('compose.yaml'))
  expect(own.length).toBeGreaterThanOrEqual(2)
  expect(own.every((line) => line.includes(' error '))).toBe(true)
})

test('all stages: variables, schema, short forms, values, references, policy, files', () => {
  const text = service(`imagee: x
ports: ["80:80", "x:80", 90000]
depends_on: [nope]
scale: many
mem_limit: 5zz
user: "\${WHO}"
volumes: ["/etc:/etc", "more:/data"]
env_file: [gone.env]`)
  expect(linesOf({ 'compose.yaml': text })).toEqual([
    "compose.yaml:4:5 error services.web.imagee: additional properties 'imagee' not allowed; did you mean image?",
    'compose.yaml:5:22 error services.web.ports[1]: invalid host port: x',
    'compose.yaml:5:30 error services.web.ports[2]: invalid container port: 90000',
    'compose.yaml:6:18 error services.web.depends_on.nope: service "web" depends on undefined service "nope"',
    'compose.yaml:7:5 error services.web.scale: failed to cast to expected type: an integer',
    'compose.yaml:8:5 error services.web.mem_limit: not a size: "5zz"',
    'compose.yaml:9:5 warning The "WHO" variable is not set. Defaulting to a blank string.',
    "compose.yaml:10:15 error services.web.volumes[0]: /etc lies outside of the stack's directory: this needs the permission stacks:privileged",
    'compose.yaml:10:28 error services.web.volumes[1]: service "web" refers to undefined volume more',
    'compose.yaml:11:16 error services.web.env_file[0]: the stack has no file gone.env',
  ])
})

test('a caller who may access the host has no findings of the policy', () => {
  const text = service('privileged: true\nvolumes: ["/etc:/etc"]')
  expect(linesOf({ 'compose.yaml': text }, { reach: 'host' })).toEqual([])
  expect(linesOf({ 'compose.yaml': text })[0]).toMatch(/^compose\.yaml:4:5 error /)
})

test('all lines of variable files that cannot be read', () => {
  const files = {
    'compose.yaml': service('env_file: a.env'),
    '.env': 'A=1\nB"=2\nC =3\nD D=4\nE=\'open\n',
    'a.env': 'x y=1\nz z=2\n',
  }
  expect(linesOf(files).map((line) => line.split(' ')[0])).toEqual([
    '.env:2:1',
    '.env:4:1',
    '.env:5:1',
    'a.env:1:1',
    'a.env:2:1',
  ])
})

describe('what only follows from another problem is left out', () => {
  test.each([
    ['a service that is not a mapping', 'services:\n  web: 5\n  db: {image: a, depends_on: [web]}'],
    ['an image with a bad variable', 'services:\n  web:\n    image: "${"'],
    [
      'an include that is gone',
      'include: [gone.yaml]\nservices:\n  w: {image: a, depends_on: [db]}',
    ],
    ['an extended service that is gone', 'services:\n  web: {extends: {service: gone}}'],
    ['a section that is not a mapping', 'services: {a: {image: a, volumes: ["v:/v"]}}\nvolumes: 5'],
    ['a secret with a bad file', 'services: {a: {image: a}}\nsecrets: {s: {file: 5}}'],
  ])('%s', (_, text) => {
    expect(linesOf({ 'compose.yaml': text })).toHaveLength(1)
  })
})

test('one of several alternatives is told, for each place', () => {
  const text = service(`build: {context: ., argz: 1}
healthcheck: {retries: [1]}
env_file: [{pth: a}]
networks: 5`)
  expect(linesOf({ 'compose.yaml': text })).toEqual([
    "compose.yaml:4:25 error services.web.build.argz: additional properties 'argz' not allowed; did you mean args?",
    'compose.yaml:5:19 error services.web.healthcheck.retries: must be a number or a string',
    "compose.yaml:6:16 error services.web.env_file[0]: missing property 'path'",
    "compose.yaml:6:17 error services.web.env_file[0].pth: additional properties 'pth' not allowed; did you mean path?",
    'compose.yaml:7:5 error services.web.networks: must be a list or a mapping',
  ])
})

test('positions stay right after entries before were found wrong', () => {
  const text = service('ports:\n  - "x:1"\n  - "2:2"\n  - "y:3"\n  - {target: z}')
  expect(linesOf({ 'compose.yaml': text }).map((line) => line.split(' ')[0])).toEqual([
    'compose.yaml:5:9',
    'compose.yaml:7:9',
    'compose.yaml:8:10',
  ])
})

test('problems of overlays and included files, each once', () => {
  const files = {
    'compose.yaml': `include: [part/a.yaml]\n${service('tty: maybe')}`,
    'compose.prod.yaml': 'services: {web: {scale: x}}',
    'compose.test.yaml': 'services: {web: {scale: y}}',
    'part/a.yaml': 'services: {job: {image: a, nope: 1}}',
  }
  const all = [
    ['compose.yaml'],
    ...['prod', 'test'].map((name) => ['compose.yaml', `compose.${name}.yaml`]),
  ]
  const inputs = all.map((composeFiles) => composeInput(files, { composeFiles }))
  const places = diagnose(inputs, options).problems.map(({ path, line }) => `${path}:${line}`)
  expect(places).toEqual([
    'compose.prod.yaml:1',
    'compose.test.yaml:1',
    'compose.yaml:5',
    'part/a.yaml:1',
  ])
})

test('a stack that loads has no errors, and the first error of one that does not is listed', () => {
  const parts = [
    'image: a',
    'image: 5',
    'ports: [a]',
    'scale: x',
    'mem_limit: x',
    'privileged: true',
  ]
  const more = ['depends_on: [b]', 'networks: [n]', 'build: {x: 1}', 'extends: c', 'command: "\'"']
  const all = [...parts, ...more]
  for (let choice = 0; choice < 2 ** all.length; choice += 37) {
    const lines = all.filter((_, index) => (choice >> index) % 2 === 1)
    const text = `services: {a: {${lines.filter((l, i) => i === lines.findIndex((o) => o.split(':')[0] === l.split(':')[0])).join(', ')}}}`
    const { problems } = diagnose([composeInput({ 'compose.yaml': text })], options)
    const errors = problems.filter(({ severity }) => severity === 'error')
    let refusal: string | undefined
    try {
      load(composeInput({ 'compose.yaml': text }))
    } catch (error) {
      refusal = (error as Error).message
    }
    if (refusal === undefined) expect([text, errors]).toEqual([text, []])
    else {
      const shown = errors.map(
        ({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`,
      )
      expect(shown).toContain(refusal)
    }
  }
})

test('200 problems at most, warnings left out first', () => {
  const ports = Array.from({ length: 150 }, () => '"x:1"').join(', ')
  const variables = Array.from({ length: 150 }, (_, index) => `V${index}: "\${V${index}}"`).join(
    ', ',
  )
  const text = service(`ports: [${ports}]\nenvironment: {${variables}}`)
  const { problems, isPartial } = diagnose([composeInput({ 'compose.yaml': text })], options)
  expect(problems).toHaveLength(problemsMax)
  expect(isPartial).toBe(true)
  expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(150)
})

test('a very large file is loaded a few times only', () => {
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `  s${index % 900}x${index}: {image: a, mem_limit: x}`,
  )
  const text = `services:\n${lines.join('\n')}\n`
  const { isPartial, problems } = diagnose([composeInput({ 'compose.yaml': text })], options)
  expect([isPartial, problems.length]).toEqual([true, problemsMax])
})

describe('without the permission to see secrets', () => {
  const env = 'DB_PASSWORD=hunter2\nPORT=8080\nHOST=db.internal\nEMPTY=\n'
  const secret = ['.env', 'db.env', 'keys/tls.key']
  const files = {
    '.env': env,
    'db.env': 'TOKEN=swordfish\nnot a line\n',
    'keys/tls.key': 'services: {s: {image: swordfish, nope: 1}}\n',
  }
  const hiddenOf = (text: string) =>
    diagnose([composeInput({ ...files, 'compose.yaml': text }, { secret })], {
      anyName: false,
      showsSecrets: false,
    }).problems

  // Each place quotes its value in an error message for a caller who may see it.
  test.each([
    service('ports: ["${DB_PASSWORD}:80"]'),
    service('mem_limit: ${DB_PASSWORD}'),
    service('healthcheck: {interval: "${DB_PASSWORD}"}'),
    service('volumes: ["${DB_PASSWORD}:/x"]'),
    service('volumes: ["/${DB_PASSWORD}:/x"]'),
    service('networks: ["${DB_PASSWORD}"]'),
    service('depends_on: ["${DB_PASSWORD}"]'),
    service('env_file: "${DB_PASSWORD}.env"'),
    service('extends: {file: "${DB_PASSWORD}.yaml", service: a}'),
    service('build: {additional_contexts: ["${DB_PASSWORD}"]}'),
    service('container_name: "${DB_PASSWORD}"\nscale: 2'),
    service('user: "${NONE:?${DB_PASSWORD}}"'),
    service('tmpfs: ["/${DB_PASSWORD}", "/${DB_PASSWORD}"]'),
    service('runtime: "${DB_PASSWORD}"'),
    service('extra_hosts: ["${DB_PASSWORD}"]'),
    service('cap_add: ["${DB_PASSWORD}"]'),
    `name: "\${DB_PASSWORD}"\n${service('')}`,
    `include: ["\${DB_PASSWORD}.yaml"]\n${service('')}`,
    `include: [{path: keys/tls.key}]\n${service('')}`,
    service('extends: {file: keys/tls.key, service: s}'),
    service('extends: {file: .env, service: s}'),
    service('env_file: [db.env, keys/tls.key]'),
    service('label_file: [db.env]'),
    `include: [{path: a.yaml, env_file: db.env}]\n${service('')}`,
    service('ports: ["${DB_PASSWORD:?x}:80"]\ntty: "${DB_PASSWORD:+maybe}"'),
  ])('no message has a value: %s', (text) => {
    const told = JSON.stringify(hiddenOf(text))
    expect(told).not.toMatch(/hunter2|swordfish|hidden\d/)
  })

  test('the same problems for every value, so that guesses tell nothing', () => {
    const text = service(`ports: ["\${X}:80"]
volumes: ["\${X}:/a", "./guess:/\${X}", "./b:/guess"]
tmpfs: ["/\${X}", "/guess"]
mem_limit: "\${X}"
scale: "\${X}"
depends_on: ["\${X}"]`)
    const told = ['hunter2', '80', 'guess', 'web', '1m', '', '/etc'].map((value) =>
      diagnose(
        [composeInput({ '.env': `X=${value}\n`, 'compose.yaml': text }, { secret: ['.env'] })],
        {
          anyName: false,
          showsSecrets: false,
        },
      ),
    )
    for (const one of told) expect(one).toEqual(told[0])
  })

  test('values that would fit are no problem, and other problems are still found', () => {
    const text = service(
      'ports: ["${PORT}:80", "x:1"]\nscale: ${PORT}\nmem_limit: ${PORT}\nvolumes: ["${HOST}:/x"]\nnope: 1',
    )
    expect(hiddenOf(text).map(({ message }) => message)).toEqual([
      'services.web.ports[1]: invalid host port: x',
      "services.web.nope: additional properties 'nope' not allowed",
    ])
  })

  test('which variables are set is known', () => {
    const lines = 'user: "${GONE}${PORT}"\nworking_dir: "${NEED:?say it}"\nhostname: "${PORT:?x}"'
    const messages = hiddenOf(service(lines))
    expect(messages.map(({ message }) => message)).toEqual([
      'The "GONE" variable is not set. Defaulting to a blank string.',
      'services.web.working_dir: required variable NEED is missing a value: say it',
    ])
  })
})
