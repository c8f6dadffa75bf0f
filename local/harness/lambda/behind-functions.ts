import { beforeEach } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { putInFront } from '../service.ts'
import { reasonAgainst } from './exceptions.ts'
import { functionsInFront } from './functions-in-front.ts'

// Before the tests of a file: clients reach the services that they start through functions.
putInFront(functionsInFront(present(process.env.TEST_FUNCTIONS)))

beforeEach(({ task, skip }) => {
  const reason = reasonAgainst(task.file.filepath, task.name)
  if (reason) skip(reason)
})
