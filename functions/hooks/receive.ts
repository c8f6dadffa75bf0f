import { z } from 'zod'
import { type ReceivePorts, receiveRequest } from '../core/hooks/receive-request.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Call the hook of a stack or a source',
  description:
    'For forges, registries and CI: deploys the stack with `pull: always`, as the account that made the hook or last rotated its secret, if the request proves that it knows the secret of the hook. A stack that follows a source first takes what the source has. After a call of the hook of a source, the service looks at the source at once, and its stacks follow. ' +
    'The request proves it with `X-Hub-Signature-256`, `X-Gitea-Signature` or `X-Forgejo-Signature`, an HMAC-SHA256 of the body, or with the secret itself in `X-Gitlab-Token` or as a bearer token. ' +
    'The body, of at most 25 MiB, is hashed and not read otherwise. Every other request gets the same 401. A ping of GitHub begins nothing. ' +
    'The deployment begins within seconds, once the stack is not busy; requests until then count as one. The service looks at a source at most once in 5 seconds; after a request in between, it looks when that time is over. To know its outcome, use `POST /stacks/{name}/deploy` with an API token instead.',
  access: 'public',
  path: z.object({ id: z.string().max(256).describe('The last part of the address of a hook') }),
  readsBytes: true,
  returns: z
    .object({
      stack: z.string().nullable().describe('Name of the stack; `null` for the hook of a source'),
      source: z.string().nullable().describe('Name of the source; `null` for the hook of a stack'),
      deploys: z
        .boolean()
        .describe('A deployment of the stack follows; false for a ping and for a source'),
      looks: z.boolean().describe('A look at the source follows; false for a ping and for a stack'),
    })
    .meta({
      id: 'HookReceipt',
      examples: [
        { stack: 'shop', source: null, deploys: true, looks: false },
        { stack: null, source: 'estate', deploys: false, looks: true },
      ],
    }),
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

  async run({ path, request, bytes, note }, ports: ReceivePorts) {
    const sent = { path: path.id, headers: request.headers, bytes }
    const { owner, id, isPing } = await receiveRequest(sent, ports)
    const isOfStack = owner === 'stack'
    note({ subject: { kind: isOfStack ? 'stacks' : 'sources', id } })
    return {
      stack: isOfStack ? id : null,
      source: isOfStack ? null : id,
      deploys: isOfStack && !isPing,
      looks: !isOfStack && !isPing,
    }
  },
})
