import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { receiveRequest } from '../core/stack-hooks/receive-request.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Call the hook of a stack',
  description:
    'For forges, registries and CI: deploys the stack with `pull: always`, as the account that made the hook or last rotated its secret, if the request proves that it knows the secret of the hook. ' +
    'It does so with `X-Hub-Signature-256`, `X-Gitea-Signature` or `X-Forgejo-Signature`, an HMAC-SHA256 of the body, or with the secret itself in `X-Gitlab-Token` or as a bearer token. ' +
    'The body, of at most 25 MiB, is hashed and not read otherwise. Every other request gets the same 401. A ping of GitHub deploys nothing. ' +
    'The deployment begins within seconds, once the stack is not busy; requests until then count as one. To know its outcome, use `POST /stacks/{name}/deploy` with an API token instead.',
  access: 'public',
  path: z.object({ id: z.string().max(256).describe('The last part of the address of a hook') }),
  readsBytes: true,
  returns: z
    .object({
      stack: z.string().describe('Name of the stack'),
      deploys: z.boolean().describe('A deployment follows; false for a ping'),
    })
    .meta({ id: 'HookReceipt', examples: [{ stack: 'shop', deploys: true }] }),
  status: 202,
  takesIdempotencyKey: false,
  recordedOnce: true,
  headers: {
    'X-Hub-Signature-256': '`sha256=` and the signature in hex, as GitHub sends it',
    'X-Gitea-Signature': 'The signature in hex, as Gitea sends it',
    'X-Forgejo-Signature': 'The signature in hex, as Forgejo sends it',
    'X-Gitlab-Token': 'The secret, as GitLab sends it',
  },
  errors: { 401: 'There is no such hook, or the request does not prove that it knows the secret' },

  async run(
    { path, request, bytes, note },
    ports: Needs<'background' | 'clock' | 'random' | 'stackHooks'>,
  ) {
    const sent = { path: path.id, headers: request.headers, bytes }
    const receipt = await receiveRequest(sent, ports)
    note({ subject: { kind: 'stacks', id: receipt.stack } })
    return receipt
  },
})
