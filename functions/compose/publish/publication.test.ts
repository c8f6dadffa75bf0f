import { expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { UnreadFiles } from '../load/unread-files.ts'
import type { ComposeInput } from '../project.ts'
import { publication } from './publication.ts'

const given = (compose: string, files: Record<string, string> = {}): ComposeInput => ({
  name: 'shop',
  directory: '/opt/stacks/shop',
  composeFiles: ['compose.yaml'],
  environment: {},
  profiles: [],
  reach: 'host',
  files: { 'compose.yaml': compose, ...files },
})

const publish = (compose: string, files?: Record<string, string>, withVariables = false) =>
  publication(given(compose, files), { withVariables })

const refusalOf = (compose: string, files?: Record<string, string>) => {
  try {
    publish(compose, files)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.status, error.message]
  }
}

test('a file is published as it is written, with comments and expressions', () => {
  const text = '# Ours\nservices:\n  web:\n    image: "nginx:${TAG:-1}" # pinned\n'
  const { files, findings, images } = publish(text, { '.env': 'TAG=7\n' })
  expect(files).toEqual([{ kind: 'compose', path: 'compose.yaml', name: 'compose.yaml', text }])
  expect(findings).toEqual([])
  expect(images).toEqual({ web: 'nginx:7' })
})

test('files of extends are published beside it, each named by its digest, with their own', () => {
  const text = 'services:\n  web:\n    extends: {file: base/web.yaml, service: web} # here\n'
  const { files } = publish(text, {
    'base/web.yaml': 'services:\n  web:\n    extends:\n      file: ../log.yaml\n      service: l\n',
    'log.yaml': 'services: {l: {image: a, extends: {file: log.yaml, service: m}}, m: {image: b}}\n',
    'other.yaml': 'services: {}',
  })
  expect(files.map(({ kind, path }) => [kind, path])).toEqual([
    ['compose', 'compose.yaml'],
    ['extended', 'base/web.yaml'],
    ['extended', 'log.yaml'],
  ])
  const [own, web, log] = files
  expect(web?.name).toMatch(/^[0-9a-f]{64}\.yaml$/)
  expect(own?.text).toBe(text.replace('base/web.yaml', `"${web?.name}"`))
  expect(web?.text).toContain(`file: "${log?.name}"\n`)
  expect(log?.text).toContain(`file: "${log?.name}"`)
})

test('files of variables are published on request, and keep their path otherwise', () => {
  const text = `x-base: &base {env_file: &file ./a.env}
services:
  a: {<<: *base, image: i}
  b: {image: i, env_file: [*file, {path: 'sub/b.env', required: false}, {path: none.env, required: false}]}
  c:
    image: i
    env_file: |-
      a.env
`
  const more = { 'a.env': 'A=1\n', 'sub/b.env': 'B=2\n' }
  const without = publish(text, more)
  expect(without.files).toHaveLength(1)
  expect(without.files[0]?.text).toContain('env_file: &file "a.env"}')
  const { files } = publish(text, more, true)
  const [own, a, b] = files
  expect(files.map(({ path, text: content }) => [path, content]).slice(1)).toEqual([
    ['a.env', 'A=1\n'],
    ['sub/b.env', 'B=2\n'],
  ])
  expect(own?.text).toBe(`x-base: &base {env_file: &file "${a?.name}"}
services:
  a: {<<: *base, image: i}
  b: {image: i, env_file: ["${a?.name}", {path: "${b?.name}", required: false}, {path: "none.env", required: false}]}
  c:
    image: i
    env_file: "${a?.name}"
`)
})

test('an overlay is a file of its own, and all profiles are published', () => {
  const input = given('services: {a: {image: a}, b: {profiles: [p], image: b}}', {
    'compose.prod.yaml': 'services: {a: {image: c}}',
  })
  const composeFiles = ['compose.yaml', 'compose.prod.yaml']
  const { files, images } = publication({ ...input, composeFiles }, { withVariables: false })
  expect(files.map(({ name }) => name)).toEqual(composeFiles)
  expect(images).toEqual({ a: 'c', b: 'b' })
})

test('findings: env_file, literal values of suspicious names, bind mounts', () => {
  const { findings } = publish(
    `services:
  a:
    image: a
    env_file: a.env
    environment: {DB_PASSWORD: hunter2, API_TOKEN: "\${TOKEN}", SECRET_KEY: "", PORT: 80}
    volumes: [".:/data", "\${WHERE}:/more", "named:/other", "/etc/shop:/etc/shop:ro"]
volumes: {named: {}}
`,
    { 'a.env': 'Q=1\n', '.env': 'TOKEN=t\nWHERE=./sub\n' },
  )
  expect(findings.map(({ kind, place, value }) => [kind, place, value])).toEqual([
    ['env', 'services.a.env_file', null],
    ['env', 'services.a.environment.DB_PASSWORD', null],
    ['bind_mounts', 'services.a.volumes', '.:/data'],
    ['bind_mounts', 'services.a.volumes', './sub:/more'],
    ['bind_mounts', 'services.a.volumes', '/etc/shop:/etc/shop'],
    ['bind_mounts', 'services.a.volumes', '${WHERE}:/more'],
  ])
})

test('paths that the environment of a reader decides on, in every form', () => {
  const pathsOf = (service: string, rest = '') =>
    publish(`services: {a: {image: a, ${service}}}\n${rest}`, {
      '.env': 'DIR=./sub\nKIND=bind\nDOT=a\n',
    }).variablePaths.map(({ place, text }) => `${place} ${text}`)
  const mounts: [string, string][] = [
    ['"${HOME:-.}/x:/data"', '${HOME:-.}/x:/data'],
    ['"$DIR:/data"', '$DIR:/data'],
    ['".${DOT}./x:/data"', '.${DOT}./x:/data'],
    ['"${NONE-./a:/data}"', '${NONE-./a:/data}'],
    ['{type: bind, source: "${HOME:-.}", target: /data}', '${HOME:-.}'],
    ['{type: "$KIND", source: ./sub, target: /data}', '$KIND'],
  ]
  for (const [volume, text] of mounts)
    expect(pathsOf(`volumes: [${volume}]`)).toEqual([`services.a.volumes ${text}`])
  expect(pathsOf('devices: ["${DEV:-/dev/null}:/dev/x"]')).toEqual([
    'services.a.devices ${DEV:-/dev/null}:/dev/x',
  ])
  expect(pathsOf('secrets: [s]', 'secrets: {s: {file: "${HOME:-.}/.ssh/id"}}\n')).toEqual([
    'secrets.s.file ${HOME:-.}/.ssh/id',
  ])
  const named = 'volumes: {v: {driver_opts: {type: none, o: bind, device: "${HOME:-/x}"}}}\n'
  expect(pathsOf('volumes: ["v:/v"]', named)).toEqual(['volumes.v.driver_opts ${HOME:-/x}'])
  expect(pathsOf('volumes: ["./a:/data", "v:/${TO:-v}", "./$$HOME:/x"]', 'volumes: {v: }')).toEqual(
    [],
  )
  expect(pathsOf('environment: {A: "${HOME}"}, command: "echo ${HOME:-.}"')).toEqual([])
})

test('options with control of the host are told if they have a variable', () => {
  const { variableOptions } = publish(`services:
  web:
    image: "a:\${TAG:-1}"
    privileged: \${FULL:-false}
    cap_add: ["\${CAP:-CHOWN}", KILL]
    network_mode: bridge
    labels: {price: "$$5", name: "\${NAME:-x}"}
`)
  expect(variableOptions.map(({ place, text }) => `${place} ${text}`)).toEqual([
    'services.web.cap_add ${CAP:-CHOWN}',
    'services.web.privileged ${FULL:-false}',
  ])
})

test('findings: sensitive data in the resolved model, comments and files of variables', () => {
  const token = `ghp_${'a1'.repeat(18)}`
  const { findings, contents } = publish(
    `# was ${token.replace('ghp', 'gho')}
services:
  a:
    image: a
    env_file: a.env
    environment:
      AWS_SECRET_ACCESS_KEY: ${'abcd/+12'.repeat(5)}
      FROM_ENV: \${GIVEN}
    secrets: [s]
    configs: [c]
secrets: {s: {file: ./s.txt}}
configs: {c: {file: ./c.txt}, d: {content: none}}
`,
    { 'a.env': `# x\nGH="${token}"\n`, '.env': 'GIVEN=AKIAABCDEFGHIJKLMNOP\n' },
  )
  expect(findings.filter(({ kind }) => kind === 'sensitive')).toEqual([
    expect.objectContaining({
      exactPlace: 'services.a.environment.AWS_SECRET_ACCESS_KEY',
      what: 'AWS secret key',
    }),
    expect.objectContaining({
      exactPlace: 'services.a.environment.FROM_ENV',
      value: 'AKIAABCDEFGHIJKLMNOP',
    }),
    expect.objectContaining({ place: 'compose.yaml:1', what: 'GitHub token' }),
    {
      kind: 'sensitive',
      place: 'a.env:2',
      exactPlace: 'a.env:2 GH',
      what: 'GitHub token',
      value: token,
    },
  ])
  expect(contents.sort()).toEqual(['c.txt', 's.txt'])
})

test('422: services with nothing but a build, by name', () => {
  expect(refusalOf('services: {a: {build: .}, b: {image: b, build: .}, c: {build: .}}')).toEqual([
    422,
    expect.stringContaining('could not run them: a, c: name an image'),
  ])
})

test('422: a file that includes another one, or names one through a variable', () => {
  const include = refusalOf('include: [b.yaml]\nservices: {a: {image: a}}', {
    'b.yaml': 'services: {b: {image: b}}',
  })
  expect(include).toEqual([422, expect.stringContaining('with include cannot be published')])
  const variable = refusalOf('services: {a: {image: a, env_file: "${WHICH}.env"}}', {
    '.env': 'WHICH=a\n',
    'a.env': '',
  })
  expect(variable).toEqual([422, expect.stringContaining('a path with a variable')])
})

test('422: a secret file is no part of the publication of a caller who may not see it', () => {
  const input = given('services: {a: {extends: {file: b.yaml, service: b}}}', {
    'b.yaml': 'services: {b: {image: b}, c: {extends: {file: s.yaml, service: s}}}',
    's.yaml': 'services: {s: {image: s}}',
  })
  const attempt = () => publication({ ...input, secret: ['s.yaml'] }, { withVariables: false })
  expect(attempt).toThrow('s.yaml: publishing it needs the permission stacks:secrets')
})

test('422: a file that a source encrypts is not published, whoever publishes it', () => {
  const input = given('services: {a: {image: a, extends: {file: b.yaml, service: b}}}', {
    'b.yaml': 'services: {b: {image: b, env_file: c.env}}',
    'c.env': 'A=1\n',
  })
  const attempt = (decrypted: string[], more = {}) =>
    publication({ ...input, ...more }, { withVariables: true, decrypted })
  expect(() => attempt(['b.yaml'])).toThrow('b.yaml: its source encrypts this file')
  expect(() => attempt(['c.env'])).toThrow('c.env: its source encrypts this file')
  expect(attempt(['d.env']).files).toHaveLength(3)
})

test('a file that was not read is asked for', () => {
  const input = given('services: {a: {extends: {file: b.yaml, service: b}}}')
  const attempt = () => publication({ ...input, unread: { 'b.yaml': 9 } }, { withVariables: false })
  expect(attempt).toThrow(UnreadFiles)
})
