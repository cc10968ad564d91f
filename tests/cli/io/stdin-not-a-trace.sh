echo nothing | tracepipe --sink text -
