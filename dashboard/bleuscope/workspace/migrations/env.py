"""How Alembic runs the scripts: on the connection that it is given, whose transaction is not its own."""

from alembic import context
from alembic.environment import EnvironmentContext

from bleuscope.workspace.schema import metadata


def run(environment: EnvironmentContext) -> None:
    """Run the scripts."""
    environment.configure(
        connection=environment.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    environment.run_migrations()


run(context)  # type: ignore[arg-type]  # the module stands for the environment that Alembic has put into it
