// Makes the Debian packages of the service, the agent and the client. Each brings its own Node.js,
// because that of Debian 12 is too old.
import { join } from 'node:path'
import { ensureBuilt } from '../contents/built-files.mjs'
import { readOptions } from '../contents/options.mjs'
import { project, run } from '../contents/places.mjs'
import { packages } from './packages.mjs'
import { writeDeb } from './write-deb.mjs'

await run(async () => {
  const { out, architectures, fast, epoch, only, version = project.version } = readOptions()
  ensureBuilt()
  for (const architecture of architectures) {
    for (const [name, { folder, entries }] of Object.entries(packages)) {
      if (only !== undefined && only !== name) continue
      const target = join(out, `${name}_${version}_${architecture}.deb`)
      const contents = entries(architecture)
      writeDeb(target, { folder, version, architecture, epoch, fast, entries: contents })
      console.log(target)
    }
  }
})
