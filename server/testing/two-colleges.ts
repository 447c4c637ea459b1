import { newSchool, type TestPerson, type TestSchool } from './school.ts'

export interface World {
  school: TestSchool
  own: { suiCollegeId: string; majorId: string; scClassId: string; suiGrade: string }
  strange: World['own']
  collegeAdmin: TestPerson
}

/** A school of two colleges with a class each, and an administrator of the first. */
export async function world(): Promise<World> {
  const school = await newSchool()
  const place = async () => {
    const suiCollegeId = await school.college()
    const majorId = await school.major(suiCollegeId)
    return { suiCollegeId, majorId, scClassId: await school.schoolClass(majorId, suiCollegeId), suiGrade: '2024' }
  }
  const [own, strange] = [await place(), await place()]
  return {
    school,
    own,
    strange,
    collegeAdmin: await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own.suiCollegeId }]),
  }
}
