import { z } from 'zod'
import { commit, storeFormat, version } from '../core/version.ts'
import { endpoint } from '../kit/endpoint.ts'

const Version = z
  .object({
    version: z.string().describe('Version of the service, as in the changelog'),
    commit: z
      .string()
      .nullable()
      .describe(
        'Git commit that the service was built from. It ends with `-dirty` if files had been changed since. `null` if unknown.',
      ),
    store_format: z
      .object({
        reads: z.int().min(1).describe('Newest format of stored items that this version reads'),
        writes: z.int().min(1).describe('Format of stored items that this version writes'),
      })
      .describe('Formats of the items in the store. They change only with an upgrade.'),
  })
  .meta({ id: 'Version' })

export default endpoint({
  summary: 'Show the version of the service',
  description: 'Compare it with your client: they may be one minor version apart.',
  access: 'signed-in',
  returns: Version,
  examples: {
    returns: {
      version,
      commit: '05bc41ec4b7f0d9a8e6c3b2a1f0e9d8c7b6a5f4e',
      store_format: { reads: 1, writes: 1 },
    },
  },

  run: () => ({ version, commit, store_format: storeFormat }),
})
