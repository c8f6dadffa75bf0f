import { onTestFinished } from 'vitest'
import { type GitServer, type GitServerOptions, serveGit } from './serve.ts'

export { type GitServerOptions, makeCertificate } from './serve.ts'

/** Starts a server of git that ends with the test. */
export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const { close, ...server } = await serveGit(options)
  onTestFinished(close)
  return server
}
