import type { IdentityProvider } from '../records/identity-provider.ts'
import type { Collection } from './collection.ts'

/** The configured identity providers, encrypted at rest. */
export type IdentityProviders = Collection<IdentityProvider>
