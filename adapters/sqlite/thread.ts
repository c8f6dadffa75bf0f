import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { must } from '../../functions/compose/must.ts'
import { type Answer, buffersOf, type Call } from './calls.ts'
import { errorOf, runCalls } from './run-calls.ts'
import { openStoreFile, type StoreFile } from './store-file.ts'

/**
 * The thread of a store. It takes calls and answers them. The file is opened by the first call, and
 * again by the next one if that failed.
 */
const port = must(parentPort, 'port of the thread')
const { file } = workerData as { file: string }
let opened: StoreFile | undefined

const answer = (one: Answer) => port.postMessage(one, 'value' in one ? buffersOf(one.value) : [])

port.on('message', (first: Call | 'close') => {
  const calls = [first]
  for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port))
    calls.push(more.message)
  const asked = calls.filter((call) => call !== 'close')
  try {
    opened ??= openStoreFile(file)
    runCalls(opened, asked, answer)
  } catch (error) {
    for (const { id } of asked) answer({ id, error: errorOf(error) })
  }
  if (asked.length === calls.length) return
  opened?.close()
  port.close()
})
