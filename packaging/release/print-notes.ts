import { readManifest } from '../npm/stage.ts'
import { notesOf } from './notes.ts'

/** `npm run release-notes -- TAG`: prints the changes of the version that the tag names. */
const tag = process.argv[2] ?? ''
const { version } = readManifest()
if (tag !== `v${version}`) {
  console.error(`the tag ${tag} is not v${version}, the version of package.json`)
  process.exit(1)
}
console.log(notesOf(version))
