/**
 * Code that must not compile. The file never runs: the compiler checks it with the rest, and
 * reports each line below that does compile.
 */
import type { Client } from './client.ts'
import { request, urlOf } from './request.ts'

declare const client: Client
const target = { server: '', insecure: false }
const path = { name: 'shop' }

const stack = await client.get('/stacks/{name}', { path })
const host: string = stack.value.host
const [container] = (await client.get('/stacks/{name}/status', { path })).value
const id: string | null | undefined = container?.container_id
await client.post('/stacks/{name}/deploy', { path, query: { wait: false }, body: { host } })
await client.post('/images/pull', { body: { image: 'busybox' }, timeout: 0 })
await client.delete('/containers/{id}', { path: { id: id ?? '' }, query: { force: true } })
await client.get('/audit/export', { query: { after: '7' } })
const nothing: undefined = (await client.delete('/hosts/{id}', { path: { id: 'nas' } })).value
await client.feed('/ws/stats/{id}', { path: { id: 'web' }, query: { host } })
await request(target, 'POST', '/auth/refresh', { body: { refresh_token: '' } })
urlOf(target, '/stacks', {})

// @ts-expect-error no endpoint has that path
await client.get('/stack')
// @ts-expect-error the endpoint has another method
await client.put('/stacks')
// @ts-expect-error a filled path is not the path of an endpoint
await client.get('/stacks/shop')
// @ts-expect-error the value of the placeholder is missing
await client.get('/stacks/{name}')
// @ts-expect-error the placeholder has another name
await client.get('/stacks/{name}', { path: { id: 'shop' } })
// @ts-expect-error the path has no placeholder
await client.get('/stacks', { path })
// @ts-expect-error the query has no such parameter
await client.get('/stacks', { query: { hosts: 'local' } })
// @ts-expect-error the parameter has other values
await client.get('/alerts', { query: { state: 'resolved' } })
// @ts-expect-error the endpoint accepts no query
await client.get('/stacks/{name}', { path, query: { host: 'local' } })
// @ts-expect-error the body is missing
await client.post('/images/pull')
// @ts-expect-error a field is missing
await client.post('/images/pull', { body: {} })
// @ts-expect-error the body has no such field
await client.post('/stacks/{name}/deploy', { path, body: { enviroment: 'prod' } })
// @ts-expect-error the field has other values
await client.post('/stacks/{name}/deploy', { path, body: { pull: 'sometimes' } })
// @ts-expect-error the endpoint accepts no body
await client.post('/stacks/{name}/forget', { path, body: {} })
// @ts-expect-error the response has no such field
stack.value.hostname
// @ts-expect-error the response is a list
;(await client.get('/stacks')).value.name
// @ts-expect-error no feed has that path
await client.feed('/ws/status/{id}', { path: { id: 'web' } })
// @ts-expect-error the feed's query has no such parameter
await client.feed('/ws/stats/{id}', { path: { id: 'web' }, query: { tail: '1' } })
// @ts-expect-error the credential is sent in another field
await request(target, 'POST', '/auth/refresh', { body: { token: '' } })
// @ts-expect-error a browser opens only paths of GET
urlOf(target, '/auth/refresh', {})

void nothing
