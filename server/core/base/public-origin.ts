import type { Config } from './config.ts'

/** What of the settings says where the service is reached. */
export type Reached = Pick<Config, 'publicOrigins' | 'production' | 'port'>

/** The address the product is reached at, without a path; undefined where the service does not know it. */
export const publicOrigin = ({ publicOrigins, production, port }: Reached): string | undefined =>
  publicOrigins[0] ?? (production ? undefined : `http://127.0.0.1:${port}`)
