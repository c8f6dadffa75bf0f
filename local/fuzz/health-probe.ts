import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The results of probing `/health`. Times in milliseconds. */
export interface HealthResults {
  asked: number
  failed: number
  slowest: number
}

// JavaScript in a thread of its own, so that work of this process does not affect the measurement.
const source = `
const { parentPort, workerData } = require('node:worker_threads')
const http = require('node:http')
const agent = new http.Agent({ keepAlive: true })
const seen = { asked: 0, failed: 0, slowest: 0 }
let going = true
const ask = () => new Promise((resolve) => {
  const begin = performance.now()
  const end = (good) => {
    seen.asked += 1
    if (!good) seen.failed += 1
    seen.slowest = Math.max(seen.slowest, performance.now() - begin)
    resolve()
  }
  http.get(workerData, { agent }, (answer) => {
    answer.resume()
    answer.on('end', () => end(answer.statusCode === 200))
  }).on('error', () => end(false))
})
parentPort.on('message', () => { going = false })
;(async () => {
  await ask()
  seen.slowest = 0
  parentPort.postMessage('ready')
  do {
    await ask()
    await new Promise((resolve) => setTimeout(resolve, 20))
  } while (going)
  parentPort.postMessage(seen)
  agent.destroy()
  parentPort.close()
})()
`

/**
 * Requests `/health` every 20 ms until the returned function is called, which returns the results.
 * Waits for the first response, because a busy machine starts threads slowly.
 */
export async function probeHealth(url: string): Promise<() => Promise<HealthResults>> {
  const worker = new Worker(source, { eval: true, workerData: `${url}/api/v1/health` })
  await once(worker, 'message')
  return async () => {
    const seen = once(worker, 'message')
    worker.postMessage('stop')
    return (await seen)[0]
  }
}
