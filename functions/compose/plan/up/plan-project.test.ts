import { describe, expect, test } from 'vitest'
import { deploy, images, lines, projectOf, shop, started } from '../../testing/plan-samples.ts'
import { simulatedHost } from '../../testing/simulated-host.ts'
import { planText } from '../plan-text.ts'

describe('first deploy', () => {
  test('creates in parallel, connects additional networks and waits for conditions', () => {
    expect(planText(deploy(simulatedHost(images), shop))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create network shop_back (no network)
      2 create volume shop_data (no volume)
      3 create container shop-db-1 (no container) after 1 2
      4 create container shop-web-1 (no container) after 0 1
      5 connect network shop_default to shop-web-1 (no container) after 4
      6 start container shop-db-1 (no container) after 3
      7 wait container shop-db-1 until service_healthy (web depends on db) after 6
      8 start container shop-web-1 (no container) after 4 5 7
      `),
    )
  })

  test('connects all networks on creation from API 1.44 on', () => {
    const made = deploy(simulatedHost(images), shop, { apiVersion: '1.44' })
    expect(planText(made)).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create network shop_back (no network)
      2 create volume shop_data (no volume)
      3 create container shop-db-1 (no container) after 1 2
      4 create container shop-web-1 (no container) after 0 1
      5 start container shop-db-1 (no container) after 3
      6 wait container shop-db-1 until service_healthy (web depends on db) after 5
      7 start container shop-web-1 (no container) after 4 6
      `),
    )
  })

  test('pulls a missing image once, before anything else changes', () => {
    const project = projectOf({ a: { image: 'web' }, b: { image: 'web' }, db: {} })
    expect(planText(deploy(simulatedHost(['db']), project))).toBe(
      lines(`
      0 pull image web (image missing)
      1 create network shop_default (no network) after 0
      2 create container shop-a-1 (no container) after 0 1
      3 create container shop-b-1 (no container) after 0 1
      4 create container shop-db-1 (no container) after 1
      5 start container shop-a-1 (no container) after 2
      6 start container shop-b-1 (no container) after 3
      7 start container shop-db-1 (no container) after 4
      `),
    )
  })

  test('writes files once all images are there', () => {
    const project = projectOf({ web: {} })
    const files = [{ path: 'compose.yaml', mode: 0o644 }]
    expect(
      planText(deploy(simulatedHost([]), project, { files }))
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      '0 pull image web (image missing)',
      '1 write files /srv/shop (files changed: compose.yaml) after 0',
      '2 create network shop_default (no network) after 0',
    ])
  })

  test('writes files before services that mount the directory, but not before others', () => {
    const project = projectOf({
      db: {},
      web: { volumes: [{ type: 'bind', source: '/srv/shop/conf', target: '/c', bind: {} }] },
    })
    const files = [{ path: 'compose.yaml', mode: 0o644 }]
    expect(planText(deploy(simulatedHost(images), project, { files }))).toBe(
      lines(`
      0 write files /srv/shop (files changed: compose.yaml)
      1 create network shop_default (no network)
      2 create container shop-db-1 (no container) after 1
      3 create container shop-web-1 (no container) after 0 1
      4 start container shop-db-1 (no container) after 2
      5 start container shop-web-1 (no container) after 0 3
      `),
    )
  })

  test('uploads contents before the start and runs post_start commands after it', () => {
    const web = {
      configs: [{ source: 'motd', target: '/etc/motd' }],
      post_start: [{ command: ['warm'] }],
    }
    const configs = { motd: { name: 'shop_motd', content: 'hello' } }
    const project = projectOf({ web, db: { depends_on: { web: started } } }, { configs })
    expect(planText(deploy(simulatedHost(images), project))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create container shop-web-1 (no container) after 0
      2 create container shop-db-1 (no container) after 0
      3 upload container shop-web-1 (no container) after 1
      4 start container shop-web-1 (no container) after 3
      5 exec container shop-web-1 (post_start) after 4
      6 start container shop-db-1 (no container) after 2 5
      `),
    )
  })

  test('starts containers that share a range of host ports one after another', () => {
    const range = { target: 80, published: '8000-8005', protocol: 'tcp' }
    const project = projectOf({ db: {}, web: { scale: 2, ports: [range] } })
    expect(planText(deploy(simulatedHost(images), project))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create container shop-db-1 (no container) after 0
      2 create container shop-web-1 (no container) after 0
      3 create container shop-web-2 (no container) after 0
      4 start container shop-db-1 (no container) after 1
      5 start container shop-web-1 (no container) after 2
      6 start container shop-web-2 (no container) after 3 5
      `),
    )
  })

  test('names the first files that it writes', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, mode: 0o644 }))
    const text = planText(deploy(simulatedHost(images), projectOf({ db: {} }), { files }))
    expect(text.split('\n')[0]).toBe('0 write files /srv/shop (files changed: a, b, c and 2 more)')
  })

  test('waits for an optional dependency in a step that may fail', () => {
    const optional = { condition: 'service_started', required: false } as const
    const project = projectOf({ db: {}, web: { depends_on: { db: optional } } })
    expect(planText(deploy(simulatedHost(images), project))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create container shop-db-1 (no container) after 0
      2 create container shop-web-1 (no container) after 0
      3 start container shop-db-1 (no container) after 1
      4 wait container shop-db-1 until service_started (web depends on db) after 3
      5 start container shop-web-1 (no container) after 2 4
      `),
    )
  })
})
