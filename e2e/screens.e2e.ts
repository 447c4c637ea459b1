import { visitAs } from './visit.ts'

/** All screens as those who may open the most. */
for (const username of ['admin', 'reviewer', 'college']) visitAs(username)
