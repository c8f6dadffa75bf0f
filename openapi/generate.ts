import { writeFile } from 'node:fs/promises'
import { render } from './render.ts'

const { json, yaml, ids, tools } = await render()
await writeFile(new URL('openapi.json', import.meta.url), json)
await writeFile(new URL('openapi.yaml', import.meta.url), yaml)
await writeFile(new URL('operation-ids.json', import.meta.url), ids)
await writeFile(new URL('../cli/mcp/tools.json', import.meta.url), tools)
console.log(`openapi/openapi.json and openapi/openapi.yaml written (${json.length} characters)`)
