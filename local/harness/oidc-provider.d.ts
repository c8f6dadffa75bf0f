/** Types for the parts of the package that the tests use. The package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Context {
    oidc?: { route: string }
    body?: { id_token?: string }
  }

  interface Interaction {
    prompt: { name: string }
    params: { client_id: string }
    session: { accountId: string }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
    Grant: new (
      about: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> }
  }
}
