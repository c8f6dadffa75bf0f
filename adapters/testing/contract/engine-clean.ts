import type { Engine } from '../../../functions/core/ports/engine.ts'
import { engineClient } from '../../docker/transport/client.ts'
import type { Transport } from '../../docker/transport/transport.ts'
import { run, step } from './engine-world.ts'

/**
 * Removes everything with the project's label: containers with their volumes, networks and volumes.
 */
export async function cleanEngine(engine: Engine, project: string): Promise<void> {
  const { containers, networks, volumes } = await engine.observe(project)
  await Promise.all(
    containers.map(({ name }) =>
      run(engine, step({ action: 'remove', kind: 'container', name, volumes: true, force: true })),
    ),
  )
  for (const { name, id } of networks) {
    await run(engine, step({ action: 'remove', kind: 'network', name, id }))
  }
  for (const { name } of volumes)
    await run(engine, step({ action: 'remove', kind: 'volume', name }))
}

/** Removes every image with the project's label. */
export async function removeImages(transport: Transport, project: string): Promise<void> {
  const client = engineClient(transport, 'local')
  const filters = { label: [`com.docker.compose.project=${project}`] }
  const found = await client.json<{ Id: string }[]>({
    method: 'GET',
    path: '/images/json',
    query: { filters },
    deadline: 60_000,
  })
  for (const { Id } of found) {
    await client.json({
      method: 'DELETE',
      path: `/images/${Id}`,
      query: { force: true },
      deadline: 60_000,
    })
  }
  client.close()
}
