import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newIdentity } from '../../adapters/blobs/age.ts'
import { backupCodec } from '../../adapters/blobs/codec.ts'
import { openSystemArchive } from '../../adapters/node/backups/system-archive.ts'
import { readConfig } from '../../adapters/node/config/config.ts'
import { fileAnchor } from '../../adapters/node/data/audit-anchor.ts'
import { keyStores } from '../../adapters/node/data/key-place.ts'
import { openKeyRing } from '../../adapters/node/keys/key-ring.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { openConfiguredStore } from '../../adapters/node/start/configured-store.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import type { BackupManifest } from '../../functions/core/records/backup-manifest.ts'
import type { Place } from './service.ts'

/** A system backup in its own directory, and the file that decrypts it. */
export interface MadeBackup {
  directory: string
  identity: string
}

/** Backs up the service of a place while it runs, as its own backup run does. */
export async function backUpSystem(place: Place, files = 1): Promise<MadeBackup> {
  const config = readConfig({ ...process.env, ...place.env })
  const { dataDirectory, store, secretKey, auditKey, configFile } = config
  const own = await openConfiguredStore(config)
  const [keys] = keyStores(config, own.store)
  const rings = {
    'secret-key': await openKeyRing({ keys, name: 'secret-key', configured: secretKey }),
    'audit-key': await openKeyRing({ keys, name: 'audit-key', configured: auditKey }),
  }
  const anchor = fileAnchor(dataDirectory, store.table, memoryLog())
  const where = { keys, dataDirectory, configFile, rings, anchor }
  const archive = openSystemArchive(where, own.store, systemClock)
  const directory = join(place.directory, `backup-${files}`)
  mkdirSync(directory)
  const identity = join(place.directory, 'identity.txt')
  const text = await newIdentity(new Date())
  writeFileSync(identity, text)
  const codec = await backupCodec({ identity: text })
  const form = { compression: 'zstd', encrypted: true } as const
  const packed = codec.pack(archive.read(new AbortController().signal), form)
  const name = 'system.tar.zst.age'
  await pipeline(Readable.from(packed.stream), createWriteStream(join(directory, name)))
  await own.stop()
  const { content, stored } = packed.counts()
  const manifest: BackupManifest = {
    format: 1,
    version: '0.1.0',
    run: '019a0000-0000-7000-8000-000000000001',
    job: { id: 'j1', name: 'nightly' },
    host: { id: 'local', name: 'Cellar' },
    started_at: new Date().toISOString(),
    finished_at: new Date().toISOString(),
    objects: [
      {
        name,
        kind: 'system',
        source: 'system',
        stack: null,
        files,
        bytes: stored.bytes,
        sha256: stored.sha256,
        tar_bytes: content.bytes,
        tar_sha256: content.sha256,
      },
    ],
  }
  const plain = Readable.from([Buffer.from(JSON.stringify(manifest))])
  const sealed = codec.pack(plain, { compression: 'none', encrypted: true }).stream
  const end = createWriteStream(join(directory, 'manifest.json.age'))
  await pipeline(Readable.from(sealed), end)
  return { directory, identity }
}
