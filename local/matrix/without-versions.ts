const engine = 'a thing of the Engine, of which the service keeps no version'
const bytes = 'a part of an upload, whose bytes can only be sent again'
const own = 'what only its owner changes, and nothing to read before'

/** PUT and DELETE that take no `If-Match`, with the reason. */
export const withoutVersions: Readonly<Record<string, string>> = {
  'PUT /me/password': own,
  'PUT /me/passkeys/{id}': own,
  'DELETE /me/passkeys/{id}': own,
  'DELETE /me/sessions': own,
  'DELETE /me/sessions/{id}': own,
  'DELETE /users/{id}/mfa': 'it has no other state than on or off',
  'PUT /stacks/{name}/uploads/{id}/parts/{n}': bytes,
  'PUT /stacks/adopt/{id}/parts/{n}': bytes,
  'PUT /containers/{id}/archive': engine,
  'DELETE /containers/{id}': engine,
  'DELETE /images/{id}': engine,
  'DELETE /networks/{id}': engine,
  'DELETE /volumes/{name}': engine,
  'DELETE /api-tokens/{id}': 'a token never changes',
  'DELETE /secret-keys/{id}': 'a key never changes',
  'DELETE /stacks/{name}/held-back-images/{digest}': 'a held-back image never changes',
  'DELETE /stacks/{name}/hook': 'of it only its secret changes, which no reader sees',
  'DELETE /sources/{name}/hook': 'of it only its secret changes, which no reader sees',
  'PUT /update-policies/{name}': 'it is saved whole, and read only in a list',
  'DELETE /update-policies/{name}': 'it is saved whole, and read only in a list',
  'DELETE /backup-runs/{id}': 'a run that has ended never changes',
}
