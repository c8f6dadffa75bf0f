import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { forEachConcurrently } from './concurrently.ts'
import { refresh } from './refresh.ts'

type Volume = components['schemas']['Volume']
type Network = components['schemas']['Network']

const nameOf = ({ name }: { name: string }) => name

/**
 * Removes volumes with their data.
 *
 * @throws RequestError that names each one that was not removed, after all others were
 */
export const removeVolumes = (volumes: readonly Volume[]): Promise<void> =>
  forEachConcurrently(volumes, nameOf, async ({ name, host_id: host }) => {
    await unwrap(api.DELETE('/volumes/{name}', { params: { path: { name }, query: { host } } }))
    refresh('/volumes')
  })

/**
 * Removes networks.
 *
 * @throws RequestError that names each one that was not removed, after all others were
 */
export const removeNetworks = (networks: readonly Network[]): Promise<void> =>
  forEachConcurrently(networks, nameOf, async ({ id, host_id: host }) => {
    await unwrap(api.DELETE('/networks/{id}', { params: { path: { id }, query: { host } } }))
    refresh('/networks')
  })
