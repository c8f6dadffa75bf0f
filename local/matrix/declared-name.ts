/** Returns the name of the test of what a route or feed declares. Mutations are judged by it. */
export const declaredTest = (route: string) => `${route} declares what its row requires`
