"""Reading: whose words are these?"""

from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.prose import own_prose
from habitus_tasks.parse.readers import read_session
from habitus_tasks.parse.reading import read

__all__ = ["Limits", "own_prose", "read", "read_session"]
