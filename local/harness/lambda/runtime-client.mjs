// The part of Lambda's Node.js runtime inside a function's process: it gets an event, calls the
// handler and sends the response, until the process is killed.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { AWS_LAMBDA_RUNTIME_API: address, LAMBDA_TASK_ROOT: root = '' } = process.env
const api = `http://${address}/2018-06-01/runtime`

/** @type {(path: string, value: unknown) => Promise<unknown>} */
const post = (path, value) =>
  fetch(`${api}${path}`, { method: 'POST', body: JSON.stringify(value) })

/** @type {(error: unknown) => {errorType: string, errorMessage: string}} */
const described = (error) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message }
    : { errorType: 'Error', errorMessage: String(error) }

async function load() {
  try {
    const module = await import(pathToFileURL(join(root, 'main.js')).href)
    return module.handler
  } catch (error) {
    await post('/init/error', described(error))
    process.exit(1)
  }
}

const handler = await load()
for (;;) {
  const next = await fetch(`${api}/invocation/next`)
  const id = next.headers.get('lambda-runtime-aws-request-id')
  const deadline = Number(next.headers.get('lambda-runtime-deadline-ms'))
  const event = await next.json()
  try {
    const context = { awsRequestId: id, getRemainingTimeInMillis: () => deadline - Date.now() }
    await post(`/invocation/${id}/response`, await handler(event, context))
  } catch (error) {
    await post(`/invocation/${id}/error`, described(error))
  }
}
