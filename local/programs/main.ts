import { readFileSync, writeFileSync } from 'node:fs'
import { ensurePackages } from '../setup/packages.mjs'
import { buildPrograms } from './build.ts'
import { bytesFile, bytesText, disassemblyPage, pageText } from './generated.ts'
import { programPackages } from './processors.mjs'

/** Writes the bytes and the disassembly of the programs for helper containers. */
if (!ensurePackages(programPackages, 'the programs')) process.exit(1)
const programs = buildPrograms()
writeFileSync(bytesFile, bytesText(programs))
writeFileSync(disassemblyPage, pageText(readFileSync(disassemblyPage, 'utf8'), programs))
