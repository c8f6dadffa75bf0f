import { licencesOf } from './licences.ts'
import { bundledInputs } from './shipped.ts'

/** Prints the licences of all packages that the build contains. */
process.stdout.write(licencesOf(await bundledInputs()))
