import { describe, expect, test } from 'vitest'
import { deploy, deployed, images, lines, projectOf, shop } from './plan-samples.ts'
import { planText } from './plan-text.ts'
import { apply, observe, simulatedHost } from './simulated-host.ts'
import { keepVolumes } from './wanted.ts'

describe('networks and volumes', () => {
  const internal = {
    ...shop,
    networks: { ...shop.networks, back: { name: 'shop_back', ipam: {}, internal: true } },
  }

  test('a changed network is replaced under its containers, which keep their identity', () => {
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

  test('a changed network that others use is kept', () => {
    const host = deployed(shop)
    host.networks.find(({ name }) => name === 'shop_back')!.containers.push('foreign')
    expect(planText(deploy(host, internal))).toBe(
      lines(`
      warning: network shop_back has changed, but is kept: containers outside the project use it
      `),
    )
  })

  test('a network of another maker is used as it is', () => {
    const host = simulatedHost(images)
    host.networks.push({ id: 'n', name: 'shop_default', labels: {}, containers: [] })
    expect(planText(deploy(host, projectOf({ web: {} })))).toBe(
      lines(`
      0 create container shop-web-1 (no container)
      1 start container shop-web-1 (no container) after 0
      warning: network shop_default was not created by this project and is used as it is
      `),
    )
  })

  test('a changed volume is kept', () => {
    const project = { ...shop, volumes: { data: { name: 'shop_data', driver: 'nfs' } } }
    expect(planText(deploy(deployed(shop), project))).toBe(
      lines(`
      warning: volume shop_data has changed, but is kept as it is: its data would be lost
      `),
    )
  })

  test('anonymous volumes are inherited, and found again after a stop', () => {
    const project = projectOf({ db: { volumes: [{ type: 'volume', target: '/own' }] } })
    const host = deployed(project)
    const volume = host.containers[0]!.mounts[0]!.name
    apply(host, deploy(host, project, { forceRecreate: true }))
    expect(host.containers[0]!.mounts.map(({ name }) => name)).toEqual([volume])
    const keptVolumes = keepVolumes({}, observe(host))
    host.containers = []
    apply(host, deploy(host, project, { keptVolumes }))
    expect(host.containers[0]!.mounts.map(({ name }) => name)).toEqual([volume])
  })
})
