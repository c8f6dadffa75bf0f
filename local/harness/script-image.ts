import { tarOf } from '../../functions/core/tar/make.ts'
import { busyboxArchive } from '../setup/busybox.mjs'
import { type Descriptor, publishImage, type Registry } from './registry.ts'

/** Pushes `<name>:1`, an image whose containers find the script at `/start`. */
export async function publishScript(
  registry: Registry,
  script: string,
  name = 'team/app',
): Promise<Descriptor> {
  const file = await tarOf([{ path: 'start', content: Buffer.from(script), mode: 0o755 }])
  // Without the blocks that end an archive, another one can follow.
  const layer = Buffer.concat([busyboxArchive().subarray(0, -1024), file])
  return publishImage(registry, name, '1', layer)
}
