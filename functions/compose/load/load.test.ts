import { describe, expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import type { ComposeInput } from '../project.ts'
import { composeInput } from '../testing/compose-input.ts'
import { load } from './load.ts'

type Given = Partial<ComposeInput> & { files: Record<string, string> }

const run = ({ files, ...more }: Given) => load(composeInput(files, { reach: 'host', ...more }))
const file = (text: string, more: Record<string, string> = {}) =>
  run({ files: { 'compose.yaml': text, ...more } })
const app = (lines: string, more: Record<string, string> = {}) =>
  file(
    `services:\n  app:\n    image: nginx\n${lines.replace(/^/gm, '    ')}\n${'volumes: {data: }'}`,
    more,
  ).project.services.app
const refusal = (given: Given) => {
  try {
    run(given)
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    expect(error).toMatchObject({ status: 422 })
    return (error as Failure).message
  }
  throw new Error('the file was accepted')
}

test('lists what needs stacks:privileged, if it is asked to', () => {
  const text = 'services: {app: {image: nginx, privileged: true, volumes: ["/srv:/v"]}}'
  const files = { 'compose.yaml': text }
  expect(run({ files }).privileged).toBeUndefined()
  const { privileged } = run({ files, listsPrivileged: true })
  const places = new Map(privileged?.map(({ path, place }) => [path, place]))
  expect([...places]).toEqual([
    ['services.app.privileged', 'compose.yaml:1:32: services.app.privileged: '],
    ['services.app.volumes[0]', 'compose.yaml:1:60: services.app.volumes[0]: '],
  ])
})

test('lists the names and ports that services need of the host, with their places', () => {
  const text = `services:
  app:
    image: x
    container_name: one
    ports:
      - "9000-9001:90-91"
      - 127.0.0.1:\${PORT-8080}:80/udp
      - "\${PORT-8080}:80"
      - {target: 70, published: "7070"}
      - "60"
  web: {image: x}
`
  expect(file(text).claims.map(({ service, port, place }) => [service, port, place])).toEqual([
    ['app', null, 'compose.yaml:4:5: services.app.container_name: '],
    ['app', 0, 'compose.yaml:5:5: services.app.ports[0]: '],
    ['app', 1, 'compose.yaml:5:5: services.app.ports[1]: '],
    ['app', 2, 'compose.yaml:7:9: services.app.ports[2]: '],
    ['app', 3, 'compose.yaml:8:9: services.app.ports[3]: '],
    ['app', 4, 'compose.yaml:9:9: services.app.ports[4]: '],
    ['web', null, 'compose.yaml:11:3: services.web: '],
  ])
})

describe('a project', () => {
  test('gets the default network where a service uses it, resource names, and host paths', () => {
    const { project, warnings } = file(
      'services:\n  app: {image: nginx}\n  job: {image: x, network_mode: host}',
    )
    expect(project).toEqual({
      name: 'shop',
      working_dir: '/srv/shop',
      config_files: ['/srv/shop/compose.yaml'],
      services: {
        app: { image: 'nginx', command: null, entrypoint: null, networks: { default: null } },
        job: { image: 'x', command: null, entrypoint: null, network_mode: 'host' },
      },
      disabled_services: {},
      networks: { default: { name: 'shop_default', ipam: {} } },
      volumes: {},
      secrets: {},
      configs: {},
      models: {},
      extensions: {},
    })
    expect(warnings).toEqual([])
  })

  test('names its resources and keeps only those that are used', () => {
    const { project } = file(`
services:
  app:
    image: nginx
    networks: [front, outside]
    volumes: ['data:/data', 'kept:/kept']
networks: {front: {driver: bridge}, outside: {external: true}, unused: }
volumes: {data: , kept: {external: true, name: archive}, unused: }
x-note: kept
`)
    expect(project.networks).toEqual({
      front: { name: 'shop_front', driver: 'bridge', ipam: {} },
      outside: { name: 'outside', external: true, ipam: {} },
    })
    expect(project.volumes).toEqual({
      data: { name: 'shop_data' },
      kept: { name: 'archive', external: true },
    })
    expect(project.extensions).toEqual({ 'x-note': 'kept' })
  })

  test('reads variables from .env; variables of the request take precedence', () => {
    const files = {
      'compose.yaml': 'services: {app: {image: "$A:$B", environment: [B, C]}}',
      '.env': 'A=a\nB=b',
    }
    const { project, warnings } = run({ files, environment: { B: 'given' } })
    expect(project.services.app).toMatchObject({
      image: 'a:given',
      environment: { B: 'given', C: null },
    })
    expect(warnings).toEqual([])
  })

  test('warns about unset variables and about `version`', () => {
    expect(file('version: "3"\nservices: {app: {image: "x$TAG"}}').warnings).toEqual([
      'The "TAG" variable is not set. Defaulting to a blank string.',
      'the attribute `version` is obsolete, it is ignored: please remove it',
    ])
  })

  test('merges an overlay over its file, with !reset and !override', () => {
    const base = 'services: {app: {image: x, ports: ["80:80"], labels: {a: 1, b: 2}, command: run}}'
    const overlay =
      'services: {app: {image: y, ports: !override ["81:80"], labels: {a: !reset , c: 3}, command: !reset }}'
    const { project } = run({
      files: { 'compose.yaml': base, 'compose.prod.yaml': overlay },
      composeFiles: ['compose.yaml', 'compose.prod.yaml'],
    })
    expect(project.services.app).toMatchObject({
      image: 'y',
      command: null,
      ports: [{ published: '81' }],
      labels: { b: '2', c: '3' },
    })
    expect(project.config_files).toEqual(['/srv/shop/compose.yaml', '/srv/shop/compose.prod.yaml'])
  })

  test('disables services by their profiles', () => {
    const files = { 'compose.yaml': 'services: {a: {image: x}, b: {image: x, profiles: [debug]}}' }
    expect(Object.keys(run({ files }).project.services)).toEqual(['a'])
    expect(Object.keys(run({ files }).project.disabled_services)).toEqual(['b'])
    expect(Object.keys(run({ files, profiles: ['debug'] }).project.services)).toEqual(['a', 'b'])
    expect(Object.keys(run({ files, profiles: ['*'] }).project.services)).toEqual(['a', 'b'])
    const named = { ...files, '.env': 'COMPOSE_PROFILES=other, debug' }
    expect(Object.keys(run({ files: named }).project.services)).toEqual(['a', 'b'])
  })
})

describe('a service', () => {
  test.each<[string, string, object]>([
    [
      'text commands',
      'command: sh -c "a b"\nentrypoint: ""',
      { command: ['sh', '-c', 'a b'], entrypoint: [] },
    ],
    [
      'environment',
      'environment: {A: 1, B: true, C: 1e6}',
      { environment: { A: '1', B: 'true', C: '1e+06' } },
    ],
    [
      'sizes',
      'mem_limit: 64m\nshm_size: 1gb\nmemswap_limit: -1',
      { mem_limit: '67108864', shm_size: '1073741824', memswap_limit: '-1' },
    ],
    ['times', 'stop_grace_period: 90s', { stop_grace_period: '1m30s' }],
    ['false where unset means something else', 'init: false\nprivileged: false', { init: false }],
    [
      'a health check',
      'healthcheck: {test: curl x, interval: 5s, retries: 3}',
      { healthcheck: { test: ['CMD-SHELL', 'curl x'], interval: '5s', retries: 3 } },
    ],
    [
      'extra hosts',
      'extra_hosts: {b: "[::1]", a: 1.1.1.1}',
      { extra_hosts: ['a=1.1.1.1', 'b=::1'] },
    ],
    [
      'limits',
      'ulimits: {nofile: {soft: 1, hard: 2}, nproc: 3}',
      { ulimits: { nofile: { soft: 1, hard: 2 }, nproc: 3 } },
    ],
    [
      'devices',
      'devices: ["/dev/a", "/dev/b:/dev/c:r"]',
      {
        devices: [
          { source: '/dev/a', target: '/dev/a', permissions: 'rwm' },
          { source: '/dev/b', target: '/dev/c', permissions: 'r' },
        ],
      },
    ],
    [
      'relative binds',
      'volumes: ["./a:/a", "../b:/b"]',
      {
        volumes: [
          { type: 'bind', source: '/srv/shop/a', target: '/a', bind: {} },
          { type: 'bind', source: '/srv/b', target: '/b', bind: {} },
        ],
      },
    ],
    [
      'deploy',
      'deploy: {replicas: 2, resources: {limits: {cpus: "0.5", memory: 1g}}}',
      {
        deploy: {
          replicas: 2,
          resources: { limits: { cpus: 0.5, memory: '1073741824' } },
          placement: {},
        },
      },
    ],
    ['dns without empty entries', 'dns: ""', {}],
    ['the old name of a pull policy', 'pull_policy: if_not_present', { pull_policy: 'missing' }],
    ['dns with an empty and another entry', 'dns: ["", 1.1.1.1]', { dns: ['1.1.1.1'] }],
    ['an empty search domain', 'dns_search: ""', { dns_search: [''] }],
    ['an empty DNS option', 'dns_opt: [""]', { dns_opt: [''] }],
  ])('reads %s', (_, lines, expected) => {
    const base = { image: 'nginx', command: null, entrypoint: null, networks: { default: null } }
    expect(app(lines)).toEqual({ ...base, ...expected })
  })

  test('has no networks of its own if it shares those of another container', () => {
    const { project } = file(
      'services: {a: {image: x, network_mode: "service:b"}, b: {image: x, links: [c], ipc: "service:c"}, c: {image: x}}',
    )
    expect(project.services.a).not.toHaveProperty('networks')
    expect(project.services.a?.depends_on).toEqual({
      b: { condition: 'service_started', required: true, restart: true },
    })
    expect(Object.keys(project.services.b?.depends_on ?? {})).toEqual(['c'])
  })

  test('reads its env files in order and overrides them with its environment', () => {
    const files = { 'a.env': 'A=a\nB=a\nC=a', 'sub/b.env': 'B="$A-b"\nC=b', 'raw.env': 'R="$A"' }
    const lines =
      'env_file: [a.env, sub/b.env, {path: raw.env, format: raw}, {path: no.env, required: false}]\nenvironment: {C: own}'
    expect(app(lines, files)).toMatchObject({
      environment: { A: 'a', B: 'a-b', C: 'own', R: '"$A"' },
    })
    expect(app(lines, files)).not.toHaveProperty('env_file')
  })

  test('reads its label files', () => {
    expect(app('label_file: l\nlabels: [b=own]', { l: 'a=1\nb=2' })).toMatchObject({
      labels: { a: '1', b: 'own' },
    })
  })

  test('resolves its secrets and configs', () => {
    const text = `
services: {app: {image: x, secrets: [file, env], configs: [{source: text, target: /t, mode: 0440}]}}
secrets: {file: {file: ./s.txt}, env: {environment: TOKEN}}
configs: {text: {content: "port=$PORT"}}
`
    const { project } = run({
      files: { 'compose.yaml': text },
      environment: { TOKEN: 't', PORT: '1' },
    })
    expect(project.services.app?.secrets).toEqual([
      { source: 'file', target: '/run/secrets/file' },
      { source: 'env', target: '/run/secrets/env' },
    ])
    expect(project.services.app?.configs).toEqual([{ source: 'text', target: '/t', mode: '0440' }])
    expect(project.secrets).toEqual({
      file: { name: 'shop_file', file: '/srv/shop/s.txt' },
      env: { name: 'shop_env', environment: 'TOKEN', content: 't' },
    })
    expect(project.configs.text?.content).toBe('port=1')
  })
})

describe('extends and include', () => {
  test('a service extends others across files, with paths relative to each file', () => {
    const files = {
      'compose.yaml':
        'services: {app: {extends: {file: base/base.yaml, service: web}, ports: ["81:81"]}}',
      'base/base.yaml':
        'services: {web: {extends: root, volumes: ["./data:/data"], ports: ["80:80"]}, root: {image: nginx, env_file: a.env}}',
      'base/a.env': 'A=1',
    }
    expect(run({ files }).project.services.app).toMatchObject({
      image: 'nginx',
      environment: { A: '1' },
      ports: [{ published: '80' }, { published: '81' }],
      volumes: [{ source: '/srv/shop/base/data' }],
    })
  })

  test('an include has its own directory and variables, and the including file overrides it', () => {
    const files = {
      'compose.yaml':
        'include: [db/compose.yaml]\nservices: {app: {image: x, depends_on: [db]}, db: {labels: {a: 1}}}',
      'db/compose.yaml':
        'services: {db: {image: "postgres:$V", volumes: ["./data:/data"]}}\nvolumes: {v: }',
      'db/.env': 'V=17',
    }
    expect(run({ files }).project.services.db).toMatchObject({
      image: 'postgres:17',
      labels: { a: '1' },
      volumes: [{ source: '/srv/shop/db/data' }],
    })
    expect(run({ files, environment: { V: '18' } }).project.services.db).toMatchObject({
      image: 'postgres:18',
    })
  })

  test.each([
    ['services: {a: {extends: b}, b: {extends: a}}', 'circular reference: a -> b -> a'],
    [
      'services: {a: {extends: b}}',
      'cannot extend service "b" in compose.yaml: there is no such service',
    ],
    ['services: {a: {extends: {file: ../x.yaml, service: b}}}', 'lies outside of the stack'],
    ['services: {a: {extends: {file: /etc/x.yaml, service: b}}}', 'lies outside of the stack'],
    ['services: {a: {extends: {file: x.yaml, service: b}}}', 'the stack has no file x.yaml'],
    ['include: [compose.yaml]', 'include cycle detected: compose.yaml -> compose.yaml'],
    ['include: [../../etc/passwd]', 'lies outside of the stack'],
    ['include: ["https://example.com/compose.yaml"]', 'a remote file cannot be included'],
    ['services: {a: {image: x, env_file: /etc/passwd}}', 'lies outside of the stack'],
    ['services: {a: {image: x, env_file: ../../../etc/passwd}}', 'lies outside of the stack'],
    ['services: {a: {image: x, label_file: no}}', 'the stack has no file no'],
  ])('rejects %s', (text, detail) => {
    expect(refusal({ files: { 'compose.yaml': text } })).toContain(detail)
  })
})

describe('an error gives the position', () => {
  const at = (lines: string) =>
    `services:\n  app:\n    image: nginx\n${lines.replace(/^/gm, '    ')}`
  test.each([
    [
      'prots: []',
      "4:5: services.app.prots: additional properties 'prots' not allowed; did you mean ports?",
    ],
    ['ports:\n  - "80"\n  - "x:1"', '6:9: services.app.ports[1]: invalid host port: x'],
    [
      'environment:\n  A: [1]',
      '5:7: services.app.environment.A: must be a string, a number, a boolean, or empty',
    ],
    ['restart: 5', '4:5: services.app.restart: must be a string'],
    [
      'depends_on: {b: {condition: up}}',
      '4:22: services.app.depends_on.b.condition: must be one of service_started, service_healthy, service_completed_successfully',
    ],
    [
      'develop: {watch: [{path: x}]}',
      "4:23: services.app.develop.watch[0]: missing property 'action'",
    ],
    [
      'stop_grace_period: soon',
      '4:5: services.app.stop_grace_period: not a duration: "soon" (as 1m30s)',
    ],
    ['mem_limit: lots', '4:5: services.app.mem_limit: not a size: "lots"'],
    [
      'volumes: ["~/a:/a"]',
      '4:15: services.app.volumes[0].source: "~" has no meaning on this host: write the path in full or set HOME in .env',
    ],
    [
      'environment: ["A = 1"]',
      '4:5: services.app.environment: environment variable A is declared with a trailing space',
    ],
    [
      'networks: [front]',
      '4:16: services.app.networks.front: service "app" refers to undefined network front',
    ],
    [
      'network_mode: host\nnetworks: [a]',
      '4:5: services.app.network_mode: service app declares mutually exclusive `network_mode` and `networks`',
    ],
    [
      'volumes: ["data:/data"]',
      '4:15: services.app.volumes[0]: service "app" refers to undefined volume data',
    ],
    [
      'volumes:\n  - /a:/x\n  - {type: tmpfs, target: /y}\ntmpfs: /z\nconfigs: [{source: c, target: /x}]',
      '8:15: services.app.configs[0]: duplicate mount target: /x',
    ],
    ['secrets: [s]', '4:15: services.app.secrets[0]: service "app" refers to undefined secret s'],
    [
      'depends_on: [db]',
      '4:18: services.app.depends_on.db: service "app" depends on undefined service "db"',
    ],
    [
      'depends_on: [app]',
      '4:18: services.app.depends_on.app: dependency cycle detected: app -> app',
    ],
    ['ipc: service:db', '4:5: services.app.ipc: service "app" depends on undefined service "db"'],
    [
      'healthcheck: {test: [curl]}',
      '4:19: services.app.healthcheck.test: must start either by "CMD", "CMD-SHELL" or "NONE"',
    ],
    [
      'scale: 2\ndeploy: {replicas: 3}',
      "2:3: services.app: can't set distinct values on 'scale' and 'deploy.replicas'",
    ],
    [
      'scale: 2\ncontainer_name: one',
      '5:5: services.app.container_name: can\'t set a container_name ("one") for more than one container',
    ],
    [
      'cpus: 1\ndeploy: {resources: {limits: {cpus: "2"}}}',
      "4:5: services.app.cpus: can't set distinct values on 'cpus' and 'deploy.resources.limits.cpus'",
    ],
    [
      'ports: [{target: 80, host_ip: here}]',
      '4:26: services.app.ports[0].host_ip: not an IP address: "here"',
    ],
    ['image: twice', '4:5: mapping key "image" is already defined in line 3'],
    ['tty: maybe', '4:5: services.app.tty: failed to cast to expected type: true or false'],
    [
      'user: "${WHO:?say who}"',
      '4:5: services.app.user: required variable WHO is missing a value: say who',
    ],
  ])('%s', (lines, message) => {
    expect(refusal({ files: { 'compose.yaml': at(lines) } })).toBe(`compose.yaml:${message}`)
  })

  test('accepts a name that normalizes to the name of the stack', () => {
    expect(file('name: Shop!\nservices: {app: {image: x}}').project.name).toBe('shop')
    const env = { '.env': 'COMPOSE_PROJECT_NAME=shop' }
    expect(file('name: other\nservices: {app: {image: x}}', env).project.name).toBe('shop')
  })

  test.each([
    ['', 'compose.yaml: empty compose file'],
    ['- a', 'compose.yaml:1:1: the top level must be a mapping'],
    [
      'name: other\nservices: {}',
      'compose.yaml:1:1: name: the file sets the project name "other", but the stack is named "shop"',
    ],
    ['services: {app: x}', 'compose.yaml:1:12: services.app: must be a mapping'],
    [
      'services: {app: {}}',
      'compose.yaml:1:12: services.app: service "app" has neither an image nor a build context specified',
    ],
    [
      'volumes: {v: {external: true, driver: x}}',
      'compose.yaml:1:11: volumes.v: conflicting parameters "external" and "driver" specified',
    ],
    ['secrets: {s: {}}', 'compose.yaml:1:11: secrets.s: one of file|environment must be set'],
    [
      'configs: {c: {file: a, content: b}}',
      'compose.yaml:1:11: configs.c: file|content are exclusive',
    ],
    [
      'networks: {n: {name: a, external: {name: b}}}',
      'compose.yaml:1:12: networks.n: name and external.name conflict; only use name',
    ],
  ])('%s', (text, message) => {
    expect(refusal({ files: { 'compose.yaml': text } })).toBe(message)
  })

  test('in the overlay', () => {
    const files = {
      'compose.yaml': 'services: {app: {image: x}}',
      'compose.test.yaml': 'services:\n  app:\n    ports: a',
    }
    const composeFiles = ['compose.yaml', 'compose.test.yaml']
    expect(refusal({ files, composeFiles })).toBe(
      'compose.test.yaml:3:5: services.app.ports: must be a list',
    )
  })

  test('in .env and in an env file', () => {
    const text = 'services: {app: {image: x, env_file: a.env}}'
    expect(refusal({ files: { 'compose.yaml': text, '.env': 'A=1\nB C=2' } })).toBe(
      '.env:2: key cannot contain a space',
    )
    expect(refusal({ files: { 'compose.yaml': text, 'a.env': '"' } })).toContain('a.env:1: ')
  })

  test('for a service disabled by a profile', () => {
    const text = 'services: {a: {image: x, depends_on: [b]}, b: {image: x, profiles: [p]}}'
    expect(refusal({ files: { 'compose.yaml': text } })).toContain(
      'service "b" is required by "a" but is disabled. Can be enabled by profiles p',
    )
  })
})

test('a service can be named like a property of every object', () => {
  const { project } = file(
    'services: {constructor: {image: x, depends_on: [toString]}, toString: {image: y}}',
  )
  expect(Object.keys(project.services)).toEqual(['constructor', 'toString'])
  expect(
    refusal({ files: { 'compose.yaml': 'services: {a: {image: x, depends_on: [valueOf]}}' } }),
  ).toContain('depends on undefined service "valueOf"')
})

test('names external volumes of every file, with and without a service that uses them', () => {
  const compose = `include: [part.yaml]
services:
  web: {image: nginx, volumes: ["used:/u", "own:/o"]}
  job: {image: nginx, profiles: [jobs], volumes: ["later:/l"]}
volumes:
  own:
  used: {external: true}
  later: {name: "$\{X}", external: true}
  unused: {external: true}
`
  const files = {
    'compose.yaml': compose,
    'part.yaml': 'volumes: {part: {external: true}}',
    '.env': 'X=films',
  }
  const { project, externalVolumes } = load(composeInput(files))
  expect([...externalVolumes].sort()).toEqual(['films', 'part', 'unused', 'used'])
  expect(Object.keys(project.volumes).sort()).toEqual(['own', 'used'])
})
