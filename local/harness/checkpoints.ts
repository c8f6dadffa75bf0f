import { extract } from 'tar-stream'
import { present } from '../../adapters/testing/present.ts'
import type { BackupRun } from '../../functions/core/records/backup-run.ts'
import deploy from '../../functions/stacks/deploy.ts'
import updateStack from '../../functions/stacks/update.ts'
import setPolicy from '../../functions/stacks/update-policy/update.ts'
import { type BackupWorld, backupWorld, givenJob, givenVolume } from './backups.ts'
import { call } from './call.ts'
import { applyOnce, container, fresh, nameOldImage, publish, stackOf } from './updates.ts'

export const path = { name: 'shop' }

export const compose = `services:
  web:
    image: nginx:1
    command: sleep 3600
    ports: ["80"]
    volumes: ["data:/data"]
  other:
    image: busybox:latest
    command: sleep 3600
    ports: ["81"]
volumes:
  data:
`

export interface Shop extends BackupWorld {
  job: string
}

/**
 * A stack whose policy has a checkpoint, and of whose image there is a newer one.
 *
 * @param web what the service of the image has besides, without ports
 */
export async function shopWithCheckpoint(policy: object = {}, web?: string): Promise<Shop> {
  const here = await backupWorld()
  const { ports } = here
  nameOldImage(here)
  const text = web === undefined ? compose : compose.replace('\n    ports: ["80"]', web)
  await call(updateStack, { ports, as: 'admin', path, body: { compose: text } })
  const deployed = await call(deploy, { ports, as: 'admin', path, body: {} })
  if (deployed.json.status !== 'succeeded') throw new Error(deployed.text)
  await givenVolume(here, 'shop_data', 'orders')
  const whole = { ...here, job: await givenJob(here) }
  const body = { mode: 'apply', minimum_age_hours: 0, checkpoint: whole.job, ...policy }
  const saved = await call(setPolicy, { ports, as: 'admin', path, body })
  if (saved.status !== 200) throw new Error(saved.text)
  await publish(here, fresh)
  return whole
}

/** Makes the checkpoint and the update, with data that the new version migrated. */
export async function updatedShop(policy: object = {}): Promise<Shop> {
  const here = await shopWithCheckpoint(policy)
  await applyOnce(here)
  await applyOnce(here)
  await givenVolume(here, 'shop_data', 'migrated')
  return here
}

/** Makes a good update. */
export async function shopAfterUpdate(): Promise<Shop> {
  const here = await updatedShop()
  await applyOnce(here)
  await applyOnce(here, 61_000)
  const { update } = await stackOf(here)
  if (update?.outcome !== 'good') throw new Error(`it was not good: ${JSON.stringify(update)}`)
  return here
}

export const runs = async ({ ports }: BackupWorld, kind: BackupRun['kind']) =>
  (await ports.backupRuns.list({ limit: 50 })).filter((one) => one.kind === kind).reverse()
export async function textIn({ engine }: BackupWorld, name: string) {
  const archive = engine.state.archives.get(`volume ${name}`)
  if (!archive) return undefined
  const entries = extract()
  entries.end(archive)
  for await (const entry of entries) {
    if (!entry.header.name.endsWith('file')) {
      entry.resume()
      continue
    }
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }
  return undefined
}

export const keptVolume = ({ engine }: BackupWorld) =>
  present([...engine.state.volumes.keys()].find((name) => name.startsWith('shop_data_before_')))

export function spoil(here: BackupWorld) {
  container(here).health = 'unhealthy'
  here.engine.state.touch()
}
