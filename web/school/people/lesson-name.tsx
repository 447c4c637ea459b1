import { Link } from 'react-router'

/** A course's name, leading to the course for those who may open it. */
export const LessonName = ({
  lesson: { liId, liName, opens },
}: {
  lesson: { liId: string; liName: string; opens: boolean }
}) =>
  opens ? (
    <Link to={`/courseManagement/detailCurriculumList?liId=${liId}`} title={liName}>
      {liName}
    </Link>
  ) : (
    <span title={liName}>{liName}</span>
  )
