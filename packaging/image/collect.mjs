// Writes the files of the image that are not those of its base to a directory, for the Dockerfile:
// node packaging/image/collect.mjs DIRECTORY
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownArchitecture } from '../contents/architectures.mjs'
import { ensureBuilt } from '../contents/built-files.mjs'
import { MissingTool, run } from '../contents/places.mjs'
import { programFilesOf } from './programs.mjs'
import { commandFiles } from './system-files.mjs'

await run(async () => {
  const [, , target] = process.argv
  const architecture = ownArchitecture()
  if (target === undefined) throw new MissingTool('Usage: collect.mjs DIRECTORY')
  if (!architecture) throw new MissingTool(`There is no image for ${process.arch}`)
  ensureBuilt()
  for (const entry of [...programFilesOf(architecture), ...commandFiles()]) {
    if (entry.type !== 'file') continue
    const path = join(target, entry.path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, entry.content, { mode: entry.mode })
  }
})
