import type { Migrations } from '../core/database/migrate.ts'
import * as firstSchema from './202611230000-first-schema.ts'

/** Every migration of this folder, listed by hand so that the bundle carries them; a test compares. */
export const migrations: Migrations = {
  '202611230000-first-schema': firstSchema,
}
