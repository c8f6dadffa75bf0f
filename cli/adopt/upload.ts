import type { Client, Reply } from '../api/client.ts'
import type { AdoptedStack, Adoption, NewAdoption } from '../api/types.ts'
import type { Io } from '../io.ts'
import type { Bar } from '../output/progress-bar.ts'
import type { Bundle } from '../upload/pack.ts'
import { type UploadRequests, uploadBundle } from '../upload/upload-bundle.ts'

/**
 * Sends a bundle and completes the adoption. Resumes an earlier upload of the same bundle that was
 * interrupted. Throws a `CliFailure`.
 */
export const upload = (
  client: Client,
  bundle: Bundle,
  target: Pick<NewAdoption, 'name' | 'host'>,
  output: { io: Io; bar: Bar },
): Promise<Reply<AdoptedStack>> => uploadBundle(bundle, requestsOf(client, target), output)

function requestsOf(
  client: Client,
  target: Pick<NewAdoption, 'name' | 'host'>,
): UploadRequests<Adoption, Reply<AdoptedStack>> {
  return {
    list: 'adoptions.json',
    key: [client.server, target.host ?? '', target.name].join(' '),
    async begin(size) {
      const { value } = await client.post('/stacks/adopt', { body: { ...target, size } })
      return value
    },
    async received({ adoption_id: id }) {
      const { value } = await client.get('/stacks/adopt/{id}', { path: { id } })
      return value.received
    },
    put: ({ adoption_id: id }, n, data) =>
      client.put('/stacks/adopt/{id}/parts/{n}', { path: { id, n }, body: { data } }),
    complete: ({ adoption_id: id }, sha256) =>
      client.post('/stacks/adopt/{id}/complete', { path: { id }, body: { sha256 }, timeout: 0 }),
  }
}
