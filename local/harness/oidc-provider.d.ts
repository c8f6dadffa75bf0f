/** Types for the parts of the package that the tests use. The package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    use(middleware: (context: any, next: () => Promise<void>) => Promise<void>): void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<any>
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
