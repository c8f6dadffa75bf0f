import { expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { composeInput } from '../testing/compose-input.ts'
import { load } from './load.ts'

/** Returns the model of a service with these lines, or the error message. */
function service(lines: string, top = 'volumes: {data: }'): unknown {
  const text = `services:\n  app:\n    image: x\n${lines.replace(/^/gm, '    ')}\n  other: {image: y}\n${top}`
  try {
    const files = { 'compose.yaml': text, 'own.env': 'A=1' }
    const environment = { HOME: '/home/me' }
    const { project } = load(composeInput(files, { environment, reach: 'host' }))
    return project.services.app
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

test.each([
  ['deploy: {update_config: {parallelism: -1}}', 'must not be negative'],
  ['deploy: {restart_policy: {max_attempts: -1}}', 'must not be negative'],
  ['deploy: {placement: {max_replicas_per_node: -1}}', 'must not be negative'],
  ['healthcheck: {test: a, retries: -1}', 'must not be negative'],
  ['ports: [{target: -1}]', 'must not be negative'],
  ['ports: [{published: 80}]', 'a port needs a target'],
  ['ports: [1.5]', 'must be'],
  ['expose: [1.5]', 'must be'],
  ['devices: [{source: /dev/null}]', 'a device needs a target'],
  ['build: {ssh: [x]}', 'a key of ssh is "default" or id=path'],
  ['build: {additional_contexts: [x]}', 'must be name=place'],
  ['build: {additional_contexts: {a: 1}}', 'must be a string'],
  ['build: {ulimits: {nofile: "2"}}', 'must be an integer, or a mapping'],
  ['build: {shm_size: 1.5}', 'must be'],
  ['ulimits: {nofile: 1.5}', 'must be'],
  ['cpu_percent: 101', 'must be <= 100'],
  ['mem_swappiness: 1.5', 'must be'],
  ['security_opt: [a, a]', 'must NOT have duplicate items'],
  ['group_add: [1, 1]', 'must NOT have duplicate items'],
  ['depends_on: [other, other]', 'must NOT have duplicate items'],
  ['networks: [default, default]', 'must NOT have duplicate items'],
  ['post_start: [{command: a, environment: [A, A]}]', 'must NOT have duplicate items'],
  ['secrets: [""]', 'refers to undefined secret'],
  ['configs: [{target: /a}]', 'refers to undefined config'],
  ['env_file: ""', 'names no file'],
  ['container_name: a', 'must match pattern'],
  ['ports: ["::1:80:80"]', 'invalid IP address'],
  ['ports: ["[::1%eth0]:80:80"]', 'invalid IP address'],
  ['ports: [0]', 'invalid container port'],
  ['healthcheck: {interval: 9999999999h}', 'not a duration'],
  ['tmpfs: "/x:size=1m"\nvolumes: [/x]', 'duplicate mount target: /x'],
  ['depends_on: {no: {condition: service_started, required: false}}', 'depends on undefined'],
  ['build: {additional_contexts: {a: "service:no"}}', 'service "no" does not exist'],
  ['build: {additional_contexts: {a: "service:other"}}', 'service "other" is not built'],
  ['mem_limit: 1m\ndeploy: {resources: {limits: {cpus: "1"}}}', "distinct values on 'mem_limit'"],
  ['cpus: 1\ndeploy: {resources: {limits: {memory: 1m}}}', "distinct values on 'cpus'"],
  ['extra_hosts: ["=1.2.3.4"]', 'not host=address'],
  ['extra_hosts: ["::1=1.2.3.4"]', 'not host=address'],
  ['command: "a (b)"', 'a quote or a parenthesis is left open'],
  ['command: "a $$(b (c))"', 'a quote or a parenthesis is left open'],
  ['command: "a)"', 'a quote or a parenthesis is left open'],
  ['stop_grace_period: "1h 2m"', 'not a duration'],
  ['init: "1"', 'failed to cast to expected type'],
  ['develop: {watch: [{path: a, action: sync}]}', 'sync needs a target'],
  ['develop: {watch: [{path: "", action: rebuild}]}', 'must not be empty'],
  ['extends: {service: other, file: 1}', 'must be a string'],
])('rejects %s: %s', (lines, detail) => {
  expect(service(lines)).toEqual(expect.stringContaining(detail))
})

test.each([
  [
    'healthcheck: {test: a, retries: 1.5}',
    { healthcheck: { test: ['CMD-SHELL', 'a'], retries: 1 } },
  ],
  ['cpu_shares: 1.5', { cpu_shares: 1 }],
  ['ulimits: {NOFILE: 1}', { ulimits: { NOFILE: 1 } }],
  ['environment: {A: 1e400}', { environment: { A: '1e400' } }],
  [
    'extra_hosts: {b: [2.2.2.2, 1.1.1.1], a: "[::1]", a.c: 3.3.3.3}',
    { extra_hosts: ['a.c=3.3.3.3', 'a=::1', 'b=1.1.1.1', 'b=2.2.2.2'] },
  ],
  ['command: "a $$(b c) d"', { command: ['a', '$(b c)', 'd'] }],
  ['devices: ["/dev/a:"]', { devices: [{ source: '/dev/a', target: '/dev/a' }] }],
  ['volumes: ["d:z"]', { volumes: [{ type: 'volume', target: 'd:z' }] }],
  ['scale: 2\ndeploy: {}', { scale: 2, deploy: { replicas: 2 } }],
  ['mem_limit: 1m\ndeploy: {resources: {reservations: {cpus: "1"}}}', { mem_limit: '1048576' }],
  ['ports: ["80:80/"]', { ports: [{ target: 80, published: '80', protocol: 'tcp' }] }],
  ['command: [a, a]', { command: ['a', 'a'] }],
  ['healthcheck: {test: [CMD, a, a]}', { healthcheck: { test: ['CMD', 'a', 'a'] } }],
  ['env_file: [/dev/null, own.env]', { environment: { A: '1' } }],
  [
    'volumes: ["data:/d:z"]\ndevelop: {watch: [{path: ./s, action: sync, target: /t, ignore: a, x-b: 1}]}',
    {
      volumes: [{ type: 'volume', source: 'data', target: '/d', bind: { selinux: 'z' } }],
      develop: {
        watch: [
          {
            path: '/srv/shop/s',
            action: 'sync',
            target: '/t',
            ignore: ['a'],
            exec: { command: null },
          },
        ],
      },
    },
  ],
  ['profiles: [""]', { profiles: [''] }],
  [
    'volumes: ["/a/../b/:/t/", "~x/:/u", {type: bind, source: ./c/, target: /v/../w}]',
    {
      volumes: [
        { type: 'bind', source: '/a/../b/', target: '/t', bind: {} },
        { type: 'bind', source: '/home/me/x', target: '/u', bind: {} },
        { type: 'bind', source: '/srv/shop/c', target: '/w' },
      ],
    },
  ],
  [
    'build: {context: /a/, additional_contexts: [a=./b, "c=docker-image://d"]}',
    {
      build: {
        context: '/a/',
        dockerfile: 'Dockerfile',
        additional_contexts: { a: '/srv/shop/b', c: 'docker-image://d' },
      },
    },
  ],
])('accepts %s', (lines, expected) => {
  expect(service(lines)).toMatchObject(expected)
})

test('rejects services that are not a mapping', () => {
  expect(service('tty: true', '---\nservices:\nx-a: 1')).toContain('services: must be a mapping')
})

test('an empty name counts as no name', () => {
  expect(service('tty: true', 'name: ""')).toMatchObject({ tty: true })
})
