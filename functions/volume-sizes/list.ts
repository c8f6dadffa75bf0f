import { z } from 'zod'
import { hostList } from '../kit/host-list.ts'

/** Milliseconds. The Engine gives up after a minute, with a clearer error. */
const deadline = 65_000

const VolumeSize = z
  .object({
    name: z.string().describe('Name of the volume'),
    bytes: z.int().nullable().describe('Bytes of its files; `null` if its driver cannot tell'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
  })
  .meta({
    id: 'VolumeSize',
    examples: [{ name: 'shop_pages', bytes: 48_123_904, host_id: 'local', host_name: 'local' }],
  })

export default hostList({
  summary: 'List how much data volumes hold',
  description:
    'Lists the sizes of the volumes of one host or of all hosts, sorted by name. ' +
    'The Engine adds up all files, which can take up to a minute. ' +
    'A result is kept for a minute, so a volume that is newer may be missing. ' +
    'Docker Engines before version 23 measure images and containers too.',
  access: 'volumes:read',
  item: VolumeSize,
  deadline,
  list: (engine) => engine.volumeSizes(),
  view: ({ name, bytes }, place) => ({ name, bytes, ...place }),
})
