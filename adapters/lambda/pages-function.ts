import { sourceReader } from '../../functions/core/net/source.ts'
import { createLog } from '../../functions/kit/logger.ts'
import type { Routes } from '../../functions/kit/manifest.ts'
import { filePages } from '../node/http/pages.ts'
import { gatewayHandler } from './handler.ts'

/** Returns the function for public routes that serve files. It needs no store and no keys. */
export function pagesFunction(routes: Routes, prefix: string) {
  return gatewayHandler({
    routes,
    prefix,
    ports: { pages: filePages() },
    log: createLog('info', process.stdout, 0),
    sourceOf: sourceReader(''),
    settled: async () => {},
  })
}
