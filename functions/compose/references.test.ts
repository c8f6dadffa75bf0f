import { expect, test } from 'vitest'
import { load } from './load/load.ts'

const compose = `services:
  web:
    image: busybox
    volumes: ["data:/d", "named:/n", "ext:/e", "./bind:/b", "/anonymous"]
    networks: [front, proxy]
  alone: { image: busybox, network_mode: legacy }
  none: { image: busybox, network_mode: none }
  same: { image: busybox, network_mode: "service:none" }
  off: { image: busybox, profiles: [never], volumes: ["unused:/u"] }
volumes:
  data:
  named: { name: other_data }
  ext:
    external: true
    name: third_data
  unused:
networks:
  front:
  proxy: { external: true }
`

test('lists the volumes and networks that services use, with their declaration and position', () => {
  const { references } = load({
    name: 'shop',
    directory: '/opt/stacks/shop',
    composeFiles: ['compose.yaml'],
    files: { 'compose.yaml': compose },
    environment: {},
    profiles: [],
    reach: 'stack',
  })
  const lines = references.map(
    ({ kind, name, declared, place }) => `${kind} ${name} ${declared} ${place}`,
  )
  expect(lines.sort()).toEqual([
    'network legacy external compose.yaml:6:28: services.alone.network_mode: ',
    'network proxy external compose.yaml:19:3: networks.proxy: ',
    'network shop_front own compose.yaml:18:3: networks.front: ',
    'volume other_data named compose.yaml:12:3: volumes.named: ',
    'volume shop_data own compose.yaml:11:3: volumes.data: ',
    'volume third_data external compose.yaml:13:3: volumes.ext: ',
  ])
})
