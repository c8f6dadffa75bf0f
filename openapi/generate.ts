import { writeFile } from 'node:fs/promises'
import { render } from './render.ts'

const { json, yaml, ids } = await render()
await writeFile(new URL('openapi.json', import.meta.url), json)
await writeFile(new URL('openapi.yaml', import.meta.url), yaml)
await writeFile(new URL('operation-ids.json', import.meta.url), ids)
console.log(`openapi/openapi.json and openapi/openapi.yaml written (${json.length} characters)`)
