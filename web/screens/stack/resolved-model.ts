type Services = Readonly<Record<string, { image?: unknown; build?: unknown } | null>>

/** Returns the services of a resolved model; none while it is loading or does not load. */
const servicesIn = (model: unknown) =>
  Object.entries((model as { services?: Services } | undefined)?.services ?? {})

/** Returns the image of each service of a resolved model. */
export const imagesIn = (model: unknown): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    servicesIn(model).map(([name, service]) => [
      name,
      typeof service?.image === 'string' ? service.image : undefined,
    ]),
  )

/** Returns the services of a resolved model whose images are built. */
export const builtIn = (model: unknown): ReadonlySet<string> =>
  new Set(servicesIn(model).flatMap(([name, service]) => (service?.build ? [name] : [])))
