import { describe, expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import {
  deploy,
  deployed,
  images,
  lines,
  plainOptions,
  projectOf,
  shop,
} from '../../testing/plan-samples.ts'
import { apply, observe, resolveAll, simulatedHost } from '../../testing/simulated-host.ts'
import { collectKeptVolumes } from '../../used-resources.ts'
import type { Plan } from '../plan-steps.ts'
import { planText } from '../plan-text.ts'
import { plan } from './plan-project.ts'

describe('networks and volumes', () => {
  const internal = {
    ...shop,
    networks: { ...shop.networks, back: { name: 'shop_back', ipam: {}, internal: true } },
  }

  test('replaces a changed network and keeps the containers', () => {
    expect(planText(deploy(deployed(shop), internal))).toBe(
      lines(`
      0 stop container shop-db-1 (network changed)
      1 disconnect network shop_back from shop-db-1 (network changed) after 0
      2 stop container shop-web-1 (network changed)
      3 disconnect network shop_back from shop-web-1 (network changed) after 2
      4 remove network shop_back (network changed) after 1 3
      5 create network shop_back (network changed) after 4
      6 connect network shop_back to shop-db-1 (network changed) after 5
      7 connect network shop_back to shop-web-1 (network changed) after 5
      8 start container shop-db-1 (network changed) after 6
      9 wait container shop-db-1 until service_healthy (web depends on db) after 8
      10 start container shop-web-1 (network changed) after 7 9
      `),
    )
  })

  test('keeps a changed network that other containers use', () => {
    const host = deployed(shop)
    present(host.networks.find(({ name }) => name === 'shop_back')).containers.push('foreign')
    expect(planText(deploy(host, internal))).toBe(
      lines(`
      warning: network shop_back has changed, but is kept: containers outside the project use it
      `),
    )
  })

  test('uses an existing network of another creator unchanged', () => {
    const host = simulatedHost(images)
    host.networks.push({ id: 'n', name: 'shop_default', labels: {}, containers: [] })
    expect(planText(deploy(host, projectOf({ web: {} })))).toBe(
      lines(`
      0 create container shop-web-1 (no container)
      1 start container shop-web-1 (no container) after 0
      warning: network shop_default was not created by this project and is used unchanged
      `),
    )
  })

  test('keeps a changed volume', () => {
    const project = { ...shop, volumes: { data: { name: 'shop_data', driver: 'nfs' } } }
    expect(planText(deploy(deployed(shop), project))).toBe(
      lines(`
      warning: volume shop_data has changed, but is not recreated: its data would be lost
      `),
    )
  })

  test('containers inherit anonymous volumes, also after a stop', () => {
    const project = projectOf({ db: { volumes: [{ type: 'volume', target: '/own' }] } })
    const host = deployed(project)
    const volume = present(host.containers[0]?.mounts[0]).name
    apply(host, deploy(host, project, { forceRecreate: true }))
    expect(host.containers[0]?.mounts.map(({ name }) => name)).toEqual([volume])
    const keptVolumes = collectKeptVolumes({}, observe(host))
    host.containers = []
    apply(host, deploy(host, project, { keptVolumes }))
    expect(host.containers[0]?.mounts.map(({ name }) => name)).toEqual([volume])
  })

  test('does not keep an anonymous volume that neither the file nor the image declares', () => {
    const own = (...targets: string[]) => ({
      volumes: targets.map((target) => ({ type: 'volume' as const, target })),
    })
    const host = deployed(projectOf({ db: own('/own', '/image', '/old') }))
    const resolved = resolveAll(host)
    present(resolved.images.db).volumes = ['/image']
    const project = projectOf({ db: own('/own') })
    const mounted = ({ steps }: Plan) =>
      steps.flatMap((step) =>
        step.kind === 'container' && 'body' in step && 'image' in step
          ? (step.body.HostConfig as { Mounts: { Target: string }[] }).Mounts
          : [],
      )
    const again = plan(project, observe(host), resolved, plainOptions)
    expect(mounted(again).map(({ Target }) => Target)).toEqual(['/own', '/image'])
    const keptVolumes = collectKeptVolumes({}, observe(host))
    host.containers = []
    const found = plan(project, observe(host), resolved, { ...plainOptions, keptVolumes })
    expect(found.steps.length).toBeGreaterThan(0)
    const kept = mounted(found).map(({ Target }) => Target)
    expect(kept).toEqual(['/own', '/image'])
  })
})
