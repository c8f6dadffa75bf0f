import type { Client } from '../api/client.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'

/** What the steps from a source to a stack share. */
export interface Work {
  client: Client
  io: Io
  print: Printer
  /** What was made, with how to go on or to remove it: for a failure in the middle. */
  made: string[]
}
