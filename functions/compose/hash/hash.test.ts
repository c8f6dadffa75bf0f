import { describe, expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import type { Service } from '../service.ts'
import { acceptedHashes, configHash, networkHash, preimage, sha256, volumeHash } from './hash.ts'

const plain: Service = {
  command: null,
  entrypoint: null,
  image: 'b',
  networks: { default: null },
}

/** Services with the hashes that `docker compose config --hash` of 2.26.1 prints. */
const recorded: Record<string, { service: Service; hash: string }> = {
  'binds in the short form, and in the long one with options': {
    service: {
      ...plain,
      depends_on: { db: { condition: 'service_started', required: true } },
      volumes: [
        { type: 'bind', source: '/a', target: '/b', read_only: true, bind: {} },
        {
          type: 'bind',
          source: '/c',
          target: '/d',
          read_only: true,
          bind: { propagation: 'rprivate' },
        },
      ],
    },
    hash: 'a0d88e9e38911c4b7c71480ee0d695c243cfaecf452996a9a8d76e87f129a155',
  },
  'escapes, empty values, ports and durations': {
    service: {
      command: ['serve', '--port', '80'],
      entrypoint: null,
      environment: { EMPTY: '', UNSET: null, URL: 'http://db/?a=1&b=<2>' },
      image: 'shop:2',
      init: false,
      labels: { z: '1', a: '2' },
      networks: { default: null },
      ports: [
        { mode: 'ingress', target: 80, protocol: 'tcp' },
        { mode: 'ingress', host_ip: '127.0.0.1', target: 443, published: '8443', protocol: 'tcp' },
        { mode: 'ingress', target: 5000, published: '5000', protocol: 'udp' },
        { mode: 'ingress', target: 5001, published: '5001', protocol: 'udp' },
      ],
      stop_grace_period: '1m30s',
    },
    hash: 'ff2d0eb1b70efc38644621373eb1304cd2887e2aec5acfa7caa776bc39999f8e',
  },
  'limits, replicas and policies': {
    service: {
      ...plain,
      image: 'l',
      blkio_config: { weight: 5, weight_device: [{ Path: '/dev/sda', Weight: 4 }] },
      deploy: {
        replicas: 3,
        update_config: { parallelism: 0, delay: '10s', max_failure_ratio: 0.3 },
        resources: {
          limits: { cpus: 0.33, memory: '52428800', pids: 9 },
          reservations: {
            memory: '20971520',
            devices: [{ capabilities: ['gpu'], driver: 'nvidia', count: 1 }],
          },
        },
        restart_policy: { condition: 'on-failure', delay: '5s', max_attempts: 0 },
        placement: {},
      },
      ulimits: { nproc: 9, nofile: { soft: 1, hard: 2 } },
    },
    hash: 'abb13a194243d4226a748d194db68e1f67210e6ff0cfad925e61d589245223de',
  },
  'mounts of every kind, health check and endpoints': {
    service: {
      command: null,
      entrypoint: [],
      image: 'store',
      healthcheck: { test: ['CMD', 'ok'], interval: '1m0s', retries: 0, start_period: '3s' },
      networks: {
        default: null,
        back: { aliases: ['pool'], ipv4_address: '10.77.0.9', priority: 3 },
      },
      tmpfs: ['/run:size=1m'],
      volumes: [
        { type: 'volume', source: 'pool', target: '/pool', read_only: true, volume: {} },
        { type: 'volume', target: '/cache', volume: {} },
        {
          type: 'bind',
          source: '/srv/in',
          target: '/in',
          bind: { create_host_path: false, propagation: 'rshared' },
        },
        { type: 'tmpfs', target: '/t', tmpfs: { size: '1048576', mode: 448 } },
      ],
    },
    hash: 'a2b88fddda3ea352dfec508574d2ff85e1072e28c29c41d6f4b0004452953300',
  },
  'binds that create their host path': {
    service: {
      ...plain,
      volumes: [
        { type: 'bind', source: '/srv/a', target: '/a', bind: {} },
        { type: 'bind', source: '/srv/b', target: '/b', read_only: true, bind: { selinux: 'z' } },
      ],
    },
    hash: 'e0635b9253bb2454b198046f495815035ccbb08dcd97d93e71cc1892b4599cb4',
  },
  'dependencies and profiles': {
    service: {
      ...plain,
      image: 'w',
      profiles: ['extra'],
      depends_on: {
        store: { condition: 'service_healthy', required: false },
        shop: { condition: 'service_started', restart: true, required: true },
      },
    },
    hash: '49bc461822dc184dbd00cb5e64c1f04928676414b0352378fe9442ccb642070a',
  },
  'paths of develop.watch with their commands': {
    service: {
      ...plain,
      develop: { watch: [{ path: '/srv/w', action: 'sync', target: '/w', ignore: ['a/'] }] },
    },
    hash: 'e8e3e2dcfa37c4c743b3f06c75d58c6329a0053196522b3c315c8ae35fda2c64',
  },
  'binds with and without create_host_path': {
    service: {
      ...plain,
      volumes: [
        { type: 'bind', source: '/b', target: '/b', bind: { propagation: 'shared' } },
        { type: 'bind', source: '/c', target: '/c', bind: { selinux: 'z' } },
        { type: 'bind', source: '/d', target: '/d', bind: {} },
        { type: 'bind', source: '/e', target: '/e' },
      ],
    },
    hash: 'dea4f8636777c92bf64e65bc35c1c71f82e73815fe88b8c274f4fe8742332540',
  },
  'a quoted mode': {
    service: {
      ...plain,
      secrets: [{ source: 's', target: '/run/secrets/s', mode: '0400' }],
    },
    hash: '516583cca16f94cdc746d21dbd0efbde729fd7c8fdbe665320e57856692f1e3c',
  },
  'options of an endpoint': {
    service: {
      ...plain,
      networks: { default: { driver_opts: { a: 'b' }, mac_address: '02:42:ac:11:65:43' } },
    },
    hash: '067cdd77cd5c05031e9b3636e07ed1353358b81f6f78b44143930650a7567741',
  },
  'modes of secrets and configs': {
    service: {
      ...plain,
      image: 'f',
      configs: [{ source: 'conf', target: '/etc/conf' }, { source: 'conf2' }],
      secrets: [{ source: 'key', target: '/run/secrets/key', uid: '7', mode: '0440' }],
    },
    hash: '96790c83a7b1b28c15d1ffbb14fdf8e422bc3091c89e1b8accfd972de9e345c5',
  },
}

describe('accepts hashes of docker compose 2.26', () => {
  for (const [name, { service, hash }] of Object.entries(recorded)) {
    test(name, () => {
      expect(acceptedHashes(service)).toContain(hash)
    })
  }
})

describe('the hash of this service', () => {
  test('equals the older hash where nothing distinguishes the two', () => {
    const { service, hash } = present(recorded['limits, replicas and policies'])
    expect(configHash(service)).toBe(hash)
  })

  test('ignores attributes that do not affect a container', () => {
    const built: Service = {
      ...plain,
      build: { context: '/srv' },
      depends_on: { db: { condition: 'service_started', required: true } },
      profiles: ['x'],
      pull_policy: 'always',
      scale: 4,
      'x-note': 'mine',
    }
    expect(configHash(built)).toBe(configHash(plain))
    expect(acceptedHashes(plain)).toContain(configHash(built))
  })

  test('is computed over JSON in the field order of Compose with the escapes of Go', () => {
    const service: Service = {
      ...plain,
      environment: { b: '&\u2028', a: null, é: '<' },
      volumes: [
        { type: 'bind', source: '/a', target: '/b', bind: { create_host_path: true } },
        { type: 'bind', source: '/c', target: '/d', bind: { create_host_path: false } },
      ],
      secrets: [{ source: 's', mode: '0400' }],
    }
    expect(preimage(service)).toBe(
      '{"command":null,"entrypoint":null,' +
        '"environment":{"a":null,"b":"\\u0026\\u2028","é":"\\u003c"},' +
        '"image":"b","networks":{"default":null},"secrets":[{"source":"s","mode":"0400"}],' +
        '"volumes":[{"type":"bind","source":"/a","target":"/b","bind":{}},' +
        '{"type":"bind","source":"/c","target":"/d","bind":{"create_host_path":false}}]}',
    )
  })
})

test('hashes networks and volumes with their names', () => {
  expect(networkHash({ name: 'p_back', ipam: {} })).toBe(sha256('{"name":"p_back","ipam":{}}'))
  expect(volumeHash({ name: 'p_data' })).toBe(sha256('{"name":"p_data","driver":"local"}'))
})
